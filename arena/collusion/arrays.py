"""The types of arrays in this room."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

Numbers = NDArray[numpy.floating[Any]]
Counts = NDArray[numpy.int64]
Places = NDArray[numpy.int64]
