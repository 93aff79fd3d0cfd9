"""`make check-cosign`: cosign accepts what floe signs, floe accepts what cosign signs, and crane reads the artifact."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from support.registries import registry_server  # noqa: E402 - the path is set above

MANIFEST = """\
apiVersion: floe.dev/v1
kind: Manifest
metadata: {name: acme, version: 1.0.0}
scope: enterprise
"""
QUIET = ("--insecure-ignore-tlog=true", "--allow-http-registry")


def main(programs: Path) -> int:
    """Run every direction once; the first that is refused ends it."""
    with tempfile.TemporaryDirectory() as name, registry_server(Path(name) / "registry") as server:
        folder = Path(name)
        environ = {
            **os.environ,
            "HOME": name,
            "XDG_CACHE_HOME": f"{name}/cache",
            "DOCKER_CONFIG": f"{name}/docker",
            "COSIGN_PASSWORD": "",
            "COSIGN_YES": "true",
        }

        def run(*words: str, fails: bool = False) -> str:
            ran = subprocess.run(words, cwd=folder, env=environ, capture_output=True, text=True, check=False)
            if (ran.returncode != 0) is not fails:
                sys.exit(f"{' '.join(words)}\nended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
            return ran.stdout

        floe, cosign, crane = (
            str(Path(sys.executable).with_name("floe")),
            *(str(programs / each) for each in ("cosign", "crane")),
        )
        repository = f"{server.host}/acme/platform"
        reference = f"oci://{repository}:v1.0.0"
        (folder / "manifest.yaml").write_text(MANIFEST)
        digest = run(floe, "platform", "publish", "1.0.0", "--to", f"oci://{repository}").strip().rpartition("@")[2]
        run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "ours.key")
        run("openssl", "pkey", "-in", "ours.key", "-pubout", "-out", "ours.pub")
        run(cosign, "generate-key-pair", "--output-key-prefix", "theirs")
        at = f"{repository}@{digest}"
        run(cosign, "verify", "--key", "ours.pub", *QUIET, at, fails=True)
        run(floe, "platform", "sign", reference, "--key", "ours.key")
        run(cosign, "verify", "--key", "ours.pub", *QUIET, at)
        run(cosign, "verify", "--key", "theirs.pub", *QUIET, at, fails=True)
        run(floe, "platform", "verify", reference, "--key", "theirs.pub", fails=True)
        run(cosign, "sign", "--key", "theirs.key", "--tlog-upload=false", "--allow-http-registry", at)
        run(floe, "platform", "verify", reference, "--key", "theirs.pub")
        run(floe, "platform", "verify", reference, "--key", "ours.pub")
        run(cosign, "verify", "--key", "ours.pub", *QUIET, at)
        if run(crane, "digest", at).strip() != digest:
            sys.exit("crane sees another digest")
        run(crane, "validate", "--remote", at, "--fast")
        print(f"cosign and crane agree with floe on {digest}: {run(crane, 'manifest', at)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
