"""What the commands raise for wrong usage; the parser turns it into exit status 2."""


class UsageError(Exception):
    """The command line asks for something that cannot be done."""
