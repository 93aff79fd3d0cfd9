"""`floe init --platform`: a product below a published platform, which compiles before anything is filled in."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ...adapters.files.write import write_whole
from ...adapters.git.command import git_at
from ...adapters.process.progress import Waiting
from ...contract.discovery import PRODUCT
from ...contract.placeholders import MARK
from ...contract.version import parse_version
from ...errors import FloeError, UsageError
from ...frozen import dataclass, replace
from ...product.reference import OciReference, parse_reference, parse_repository, quote_reference
from ..identity.settings import plan_identity
from ..identity.workplace import find_workplace
from ..lock import write_lock
from ..policy import LoadedPolicy, load_policy

REGISTRY = "FLOE_PLATFORM_REGISTRY"
_CONTRACT = "datacontract.yaml"
_FOLDERS = ("models", "tests")


@dataclass(frozen=True, slots=True)
class ProductRequest:
    """The platform as it was written, where versions are published, and what the product is called."""

    platform: str
    registry: str = ""
    name: str = ""
    owner: str = ""
    allow_http: tuple[str, ...] = ()


def find_platform_reference(platform: str, registry: str) -> OciReference:
    """A whole reference, or a version in a registry that is named elsewhere."""
    if platform.startswith("oci://"):
        parsed, problem = parse_reference(platform)
        if not isinstance(parsed, OciReference):
            raise UsageError(problem)
        return parsed
    if parse_version(platform.removeprefix("v")) is None:
        raise UsageError(
            f"{platform!r} is not a version", fix="Write --platform=v1.2.3, or a whole oci://host/repo:v1.2.3."
        )
    repository = parse_repository(registry)
    if repository is None:
        raise UsageError(
            "no registry of platforms is named" if not registry else f"{quote_reference(registry)} is not a repository",
            fix=f"Say --registry oci://host/repo, or set {REGISTRY}.",
        )
    return replace(repository, tag=f"v{platform.removeprefix('v')}")


def create_product(request: ProductRequest) -> list[str]:
    """Write the files of a product into the current folder, floe.lock included; the paths in order."""
    if os.path.lexists(PRODUCT):
        raise UsageError(
            f"{PRODUCT} is here already", fix="Change the reference in it, and run floe platform lock --update."
        )
    reference = find_platform_reference(request.platform, request.registry)
    name = request.name or name_product(os.path.basename(os.path.realpath(".")))
    owner = request.owner or _git_email() or f"{MARK} the e-mail address of the owner"
    if os.path.lexists(_CONTRACT):
        raise UsageError(f"{_CONTRACT} is here already", fix="Move it to contracts/, or begin in an empty folder.")
    write_whole(PRODUCT, _product_text(name, owner, "platform", str(reference)))
    try:
        with Waiting(f"pulling {reference}"):
            loaded = load_policy(PRODUCT, allow_http=request.allow_http)
        texts = _texts(loaded, name, owner, str(reference), find_workplace(".").repository)
    except BaseException:
        os.unlink(PRODUCT)  # nothing half-made is left behind
        raise
    for path, text in texts.items():
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        write_whole(path, text)
    lock = [write_lock(PRODUCT, loaded.references.resolved)] if loaded.references.resolved else []
    return [*texts, *lock]


def _texts(loaded: LoadedPolicy, name: str, owner: str, reference: str, repository: str) -> dict[str, str]:
    manifest = loaded.chain.manifests[-1].manifest if loaded.chain.manifests else None
    merged = loaded.manifest
    wrong = next((item for item in loaded.chain.findings if item.blocks and item.rule != "reference-scope"), None)
    if manifest is None or merged is None or wrong is not None:
        message = f"{wrong.location}: {wrong.message}" if wrong else f"{reference} cannot be read"
        raise FloeError(message, code=wrong.code if wrong else None)
    key = "platform" if manifest.scope == "enterprise" else "domain"
    columns = merged.data_contracts.requirements.required_fields
    if not repository and not plan_identity(merged).off:
        repository = f"{MARK} the repository, such as github.com/acme/orders"
    return {
        PRODUCT: _product_text(name, owner, key, reference, repository),
        _CONTRACT: _contract_text(name, owner, columns),
        **{f"{folder}/.gitkeep": "" for folder in _FOLDERS},
    }


def _product_text(name: str, owner: str, key: str, reference: str, repository: str = "") -> str:
    claimed = f"  repository: {_quoted(repository)}\n" if repository else ""
    return f"""\
# A data product: floe compile holds it to its platform.
apiVersion: floe.dev/v1
kind: DataProduct
metadata:
  name: {name}
  version: 0.1.0
  owner: {_quoted(owner)}
{claimed}{key}: {reference}
"""


def _contract_text(name: str, owner: str, required: Sequence[str]) -> str:
    columns = "".join(
        f"""\
      - name: {column}
        logicalType: string
        physicalType: string
        required: true
        description: {MARK} what it holds; correct its type, too
"""
        for column in dict.fromkeys(("id", *required))
    )
    return f"""\
# What the product promises to its readers; fill in every {MARK}.
apiVersion: v3.2.0
kind: DataContract
id: {name}
name: {name}
version: 0.1.0
status: draft
description:
  purpose: {MARK} what the data is for
team:
  members:
    - username: {_quoted(owner)}
      role: owner
schema:
  - name: {_table_of(name)}
    description: {MARK} what a row is
    properties:
{columns}"""


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_product(folder: str) -> str:
    name = re.sub(r"[^a-z0-9]{2,}|[^a-z0-9_]", "-", folder.lower()).strip("-_")
    return name if re.match(r"[a-z]", name) else f"product-{name}".rstrip("-")


def _table_of(name: str) -> str:
    return name.replace("-", "_")


def _git_email() -> str:
    try:
        return git_at(".", os.environ).ask("config", "user.email").out.decode("utf-8", "replace").strip()
    except FloeError:  # there is no git
        return ""
