"""A real HTTP server on loopback that speaks the Messages and Batches wire format. See `server.LoopbackServer`."""

from tests.support.loopback.script import RequestRecord, Step
from tests.support.loopback.server import LoopbackServer

__all__ = ["LoopbackServer", "RequestRecord", "Step"]
