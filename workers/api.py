"""The local HTTP process: it holds the model and answers recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lethe import clock, log
from lethe.settings import settings
from lethe.web.serve import serve
from workers import parts


@dataclass(frozen=True)
class ApiServices:
    """What the endpoints call."""

    engine: Any
    embedder: Any
    ranking: Any
    clock: Any
    settings: Any
    uses: Any


def main() -> None:
    """Serve until stopped."""
    log.configure()
    serve(
        settings(),
        ApiServices(parts.engine(), parts.embedder(), parts.rules().ranking, clock.now, settings(), parts.uses()),
    )


if __name__ == "__main__":
    main()
