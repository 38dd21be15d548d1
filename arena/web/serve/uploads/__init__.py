"""Uploads over HTTP: received within limits, checked one after the other, shown with progress and report."""
