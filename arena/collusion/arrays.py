"""The types of arrays in this room."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

Numbers = NDArray[numpy.float64]
Counts = NDArray[numpy.int64]
