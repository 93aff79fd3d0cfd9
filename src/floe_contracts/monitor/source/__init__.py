"""Where the tables of a contract are: servers, connections, bindings."""
