"""The command line of ascemu: `ascemu run`, `ascemu ops`, `ascemu codes`."""
