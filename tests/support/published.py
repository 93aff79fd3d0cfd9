"""Three tiers of the example, published to a registry: an enterprise with a base contract, a domain, a product."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from floe_contracts.adapters.oci.signature import public_pem
from support.builds import ROOT
from support.needs import needs
from support.registries import RegistryServer
from support.running import Floe, Ran


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, old
    path.write_text(text.replace(old, new, 1))


def last_line(ran: Ran) -> str:
    return ran.out.strip().splitlines()[-1]


def digest_in(ran: Ran) -> str:
    found = re.search(r"@(sha256:[0-9a-f]{64})", ran.out)
    assert found, ran.out + ran.err
    return found[1]


def write_tiers(folder: Path, server: RegistryServer, name: str) -> Path:
    """manifests/{enterprise,sales} and product/ with references into the registry; `name` keeps tests apart."""
    shutil.copytree(ROOT / "examples/platform", folder)
    enterprise, domain = folder / "enterprise/manifest.yaml", folder / "domains/sales/manifest.yaml"
    product = folder / "products/customer-360/floe.yaml"
    edit(domain, "../../enterprise/manifest.yaml", f"oci://{server.host}/{name}/platform:v1.2.3")
    edit(product, "../../domains/sales/manifest.yaml", f"oci://{server.host}/{name}/sales:v2.0.0")
    edit(enterprise, "scope: enterprise\n", f"scope: enterprise\nregistry: oci://{server.host}/{name}/platform\n")
    return folder


def publish_tiers(floe: Floe, folder: Path, server: RegistryServer, name: str) -> tuple[str, str]:
    """Publish both manifests; their digests."""
    above = floe("platform", "publish", "1.2.3", str(folder / "enterprise/manifest.yaml"))
    assert above.code == 0, above
    to = f"oci://{server.host}/{name}/sales"
    below = floe("platform", "publish", "v2.0.0", str(folder / "domains/sales/manifest.yaml"), "--to", to)
    assert below.code == 0, below
    return digest_in(above), digest_in(below)


def make_key(path: Path) -> tuple[bytes, str]:
    """A private key in a file, and its public half as text."""
    kind = ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    subprocess.run([needs("openssl"), "genpkey", *kind, "-out", str(path)], check=True, capture_output=True, timeout=60)
    return path.read_bytes(), public_pem(path.read_bytes())
