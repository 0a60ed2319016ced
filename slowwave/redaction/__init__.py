"""Secret scan: everything that leaves the machine and everything that is written passes through `redact`."""
