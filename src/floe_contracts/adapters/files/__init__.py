"""Files on disk: contracts, settings, secrets, output, and what comes with the package."""
