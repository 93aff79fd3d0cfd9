"""Tables followed as streams: sources, batches, queries, totals."""
