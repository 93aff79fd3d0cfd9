"""Reports and pages as HTML."""
