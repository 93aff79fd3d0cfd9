"""`floe platform`: the manifest of a platform, compiled and published, and the references to it, locked and checked."""

from __future__ import annotations

import click

from ..adapters.process.console import Console
from .options import allow_http_option, format_option, global_options, refs_option


@click.group(short_help="Compile and publish the manifest of a platform, lock references to it.")
def platform() -> None:
    """Compile and publish the manifest of a platform or a domain, and lock and check what refers to it."""


@platform.command("compile", short_help="Write what products are held to as JSON files.")
@click.argument("manifest", required=False, metavar="[MANIFEST]")
@refs_option
@allow_http_option
@global_options(hidden=True)
@click.pass_obj
def compile_command(console: Console, manifest: str | None, refs: tuple[str, ...], allow_http: tuple[str, ...]) -> int:
    """Check a manifest against the ones above it, and write target/platform/ beside it.

    MANIFEST is ./manifest.yaml unless another is named. The files are manifest.json, policies/classification.json,
    policies/quality-gates.json and architecture/naming-rules.json; nothing is written when a tier is weaker.

    \b
    Examples:
      floe platform compile
      floe platform compile domains/sales/manifest.yaml
    """
    from ..app.platform import show_platform_compile

    return show_platform_compile(console, manifest, refs, allow_http)


@platform.command("publish", short_help="Send the manifest to a registry, once for every version.")
@click.argument("version")
@click.argument("manifest", default="manifest.yaml", metavar="[MANIFEST]")
@click.option("--to", default="", metavar="oci://HOST/REPO", help="Where to; else `registry:` of the manifest.")
@click.option("--source", default="", metavar="URL", help="Note where the manifest is kept.")
@click.option("--revision", default="", metavar="COMMIT", help="Note the commit that it was published from.")
@click.option("--licenses", default="", metavar="SPDX", help="Note the licence.")
@refs_option
@allow_http_option
@global_options(hidden=True)
@click.pass_obj
def publish_command(
    console: Console,
    version: str,
    manifest: str,
    to: str,
    source: str,
    revision: str,
    licenses: str,
    refs: tuple[str, ...],
    allow_http: tuple[str, ...],
) -> int:
    """Publish MANIFEST as an OCI artifact with the tag v<VERSION>, and print its reference with the digest.

    VERSION, with or without v, must be metadata.version of the manifest. The same files once more change nothing; other
    files under a version that is published are refused. A parent must be published before, and be referred to by
    oci:// or ref/. Credentials are those of `docker login`.

    \b
    Examples:
      floe platform publish 1.2.3 --to oci://registry.acme.com/data/platform
      floe platform publish v2.0.0 domains/sales/manifest.yaml
    """
    from ..app.publish import PublishRequest, show_publish

    notes = {"source": source, "revision": revision, "licenses": licenses}
    return show_publish(console, PublishRequest(version, manifest, to, refs, notes, allow_http))


@platform.command("pull", short_help="Fetch a published platform into a folder.")
@click.argument("reference", metavar="REF")
@click.option("--output", "-o", "folder", required=True, metavar="DIR", help="A new or empty folder for the files.")
@allow_http_option
@global_options(hidden=True)
@click.pass_obj
def pull_command(console: Console, reference: str, folder: str, allow_http: tuple[str, ...]) -> int:
    """Fetch the platform that REF means, every byte checked against its digest, as read-only files.

    It also fills the cache ($XDG_CACHE_HOME/floe/oci), from which locked references are read without a network.

    \b
    Examples:
      floe platform pull oci://registry.acme.com/data/platform:v1.2.3 --output platform
    """
    from ..app.artifacts import show_pull

    return show_pull(console, reference, folder, allow_http)


@platform.command("show", short_help="Say what a published platform holds.")
@click.argument("reference", metavar="REF")
@format_option("terminal", "json")
@allow_http_option
@global_options(hidden=True)
def show_command(reference: str, form: str, allow_http: tuple[str, ...]) -> int:
    """Print the digest, the notes and the files of the platform that REF means.

    \b
    Examples:
      floe platform show oci://registry.acme.com/data/platform:v1.2.3
    """
    from ..app.artifacts import show_artifact

    return show_artifact(reference, form, allow_http)


@platform.command("lock", short_help="Write which bytes references mean to floe.lock.")
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--update", is_flag=True, help="Lock the digest that each tag has now, and remove entries that no file refers to."
)
@refs_option
@allow_http_option
@global_options(hidden=True)
@click.pass_obj
def lock_command(
    console: Console, file: str | None, update: bool, refs: tuple[str, ...], allow_http: tuple[str, ...]
) -> int:
    """Write the digest of every ref/ and oci:// reference of FILE, and of the manifests above it, to floe.lock.

    FILE is ./floe.yaml, else ./manifest.yaml; floe.lock lies beside it. Missing entries are added, except with CI=true,
    where nothing is trusted for the first time. An entry whose bytes differ is refused; only --update changes it.
    Commit the file.

    \b
    Examples:
      floe platform lock --refs ../platform-releases
      floe platform lock products/customer-360/floe.yaml --update
    """
    from ..app.lock import show_lock

    return show_lock(console, file, refs, update=update, allow_http=allow_http)


@platform.command("verify", short_help="Ask the registries whether references are still what was locked.")
@click.argument("target", required=False, metavar="[FILE|REF]")
@click.option("--key", default="", metavar="FILE", help="A public key; else `verify.key` of floe.lock.")
@refs_option
@allow_http_option
@global_options(hidden=True)
@click.pass_obj
def verify_command(
    console: Console, target: str | None, key: str, refs: tuple[str, ...], allow_http: tuple[str, ...]
) -> int:
    """Fetch every artifact above FILE, or the one of REF, from its registry, and hold it to floe.lock and the key.

    FILE is ./floe.yaml, else ./manifest.yaml. Nothing is taken from the cache. A tag that means other bytes than the
    locked ones is FLOE-E575, exit 1; bytes without a valid signature are FLOE-E574, exit 2.

    \b
    Examples:
      floe platform verify
      floe platform verify oci://registry.acme.com/data/platform:v1.2.3 --key platform.pub
    """
    from ..app.artifacts import show_verify

    return show_verify(console, target, key, refs, allow_http)


@platform.command("diff", short_help="Say what another version makes stricter or weaker.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@refs_option
@allow_http_option
@global_options(hidden=True)
def diff_command(old: str, new: str, refs: tuple[str, ...], allow_http: tuple[str, ...]) -> int:
    """Compare what holds below OLD with what holds below NEW, and list the products here that stand below either.

    OLD and NEW are references: oci://, ref/ or the path of a manifest. Every tier above them counts.

    \b
    Examples:
      floe platform diff oci://registry.acme.com/data/platform:v1.2.3 oci://registry.acme.com/data/platform:v1.3.0
    """
    from ..app.platform_diff import show_diff

    return show_diff(old, new, refs, allow_http)


@platform.command("sign", short_help="Sign a published platform with a key.")
@click.argument("reference", metavar="REF")
@click.option("--key", required=True, metavar="FILE", help="A private EC key (PEM).")
@allow_http_option
@global_options(hidden=True)
@click.pass_obj
def sign_command(console: Console, reference: str, key: str, allow_http: tuple[str, ...]) -> int:
    """Put a signature beside the platform that REF means, in the layout that cosign reads and writes.

    Needs floe-contracts[sign]. The password of an encrypted key is read from FLOE_SIGNING_PASSWORD. Whoever pulls
    requires the signature by `verify: {required: true, key: …}` in floe.lock.

    \b
    Examples:
      floe platform sign oci://registry.acme.com/data/platform:v1.2.3 --key platform.key
    """
    from ..app.artifacts import show_sign

    return show_sign(console, reference, key, allow_http)
