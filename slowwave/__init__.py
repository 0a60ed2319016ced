"""Nightly consolidation of coding-agent sessions into a small, trustworthy memory."""

__version__ = "0.1.0"
