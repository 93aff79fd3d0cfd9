"""The commit that this package was released from; building a release writes it here (setup.py)."""

COMMIT = ""  # empty in a checkout and in builds that are no release
