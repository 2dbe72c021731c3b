"""One line of JSON an event: `noun.verb`, ids and numbers. Text of turns and memories never comes near it."""

from __future__ import annotations

import logging
import sys
from typing import Any

from lethe import clock
from lethe.lean import importing_without

with importing_without({"rich": None}):  # 5 MB a process, for a console that nothing here writes to
    import structlog


def configure() -> None:
    """Log to stderr; the supervisor keeps it as a file."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            _stamp,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def get() -> Any:
    """The logger."""
    return structlog.get_logger()


def _stamp(_logger: object, _name: str, event: Any) -> Any:
    event["at"] = clock.now().isoformat()
    return event
