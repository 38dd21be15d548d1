"""Models behind chat endpoints of the common kind, over HTTP: the only room of arena that reaches a network to play."""

from arena.consultation.endpoint.chat_endpoints import ChatEndpoints

__all__ = ["ChatEndpoints"]
