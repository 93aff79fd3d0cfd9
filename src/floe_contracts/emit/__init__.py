"""From results to what others are told: metrics, lineage and telemetry as plain values."""
