"""The profiles: which bump each kind of change needs in whose eyes; small, because flags are checked before work."""

PROFILES = {
    "floe": "the default: each rule at its own price",
    "consumer": "as readers see it: less to rely on is major, more to rely on is minor",
    "full": "both ways: whatever readers, writers or rows already written must cope with is major",
    "lakehouse": "as floe, but a type that only grows is minor, because table formats promote it safely",
}
DEFAULT_PROFILE = "floe"
