"""What tests share: builders, fakes, real servers, and readers of what floe writes."""
