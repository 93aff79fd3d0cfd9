"""The commit that this package was released from; building a release writes it here (scripts/release_build.py)."""

COMMIT = ""  # empty in a checkout and in builds that are no release
