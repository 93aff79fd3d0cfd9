"""Service levels as promises: tables, clocks, options, calendars."""
