"""Who owns a namespace, and which contract versions are registered: pure logic over any catalog of namespaces."""
