"""Reports for machines: JSON, SARIF, JUnit, GitHub annotations."""
