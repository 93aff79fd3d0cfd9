"""What a store keeps: slots, outcomes, totals, states, messages; with its twin in memory."""
