"""The published JSON schema of target/floe/compiled.json."""
