"""Imports without what a library would bring along and nothing here uses."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def importing_without(hidden: Mapping[str, ModuleType | None]) -> Iterator[None]:
    """While it lasts, an import of one of these modules finds what stands in for it, or with None fails. What is loaded already stays."""
    put = {name: module for name, module in hidden.items() if name not in sys.modules}
    sys.modules.update(put)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name, module in put.items():
            if sys.modules.get(name, module) is module:
                sys.modules.pop(name, None)
