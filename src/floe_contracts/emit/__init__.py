"""What leaves floe about results, as plain values: metrics, lineage, telemetry, notices, alerts."""
