"""The local HTTP process's endpoints. Text of questions and memories is in bodies alone: never in a URL, never in a log."""

from __future__ import annotations

import base64
import traceback
from collections.abc import Callable
from typing import Annotated, Any, Protocol

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from sqlalchemy.engine import Engine
from starlette.exceptions import HTTPException

from lethe import log
from lethe.endpoints import api_token
from lethe.errors import InvalidInput, LetheError, NotFound, NotRunning, Unauthorised
from lethe.index.embedder import Embeds
from lethe.recall.handouts import HandOutLog
from lethe.recall.profile import profile
from lethe.recall.ranking import Ranking
from lethe.recall.search import recall, recall_many
from lethe.recall.uses import UseBuffer
from lethe.records import Name, Query
from lethe.settings import Settings
from lethe.web.guard import OPEN_PATH, Guard, TooLarge

MOST_QUERIES = 10_000


class Services(Protocol):
    """What the endpoints need; made by `workers`."""

    @property
    def engine(self) -> Engine: ...
    @property
    def embedder(self) -> Embeds: ...
    @property
    def ranking(self) -> Ranking: ...
    @property
    def clock(self) -> Callable[[], Any]: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def uses(self) -> UseBuffer | None: ...


class Queries(BaseModel):
    """Many recalls at once."""

    model_config = ConfigDict(extra="forbid")

    queries: Annotated[list[Query], Field(max_length=MOST_QUERIES)]


class Texts(BaseModel):
    """Texts to embed."""

    model_config = ConfigDict(extra="forbid")

    texts: Annotated[list[str], Field(max_length=MOST_QUERIES)]


class ProfileOf(BaseModel):
    """Whose profile, and of what time."""

    model_config = ConfigDict(extra="forbid")

    tenant: Name
    user: Name | None = None
    project: Name | None = None
    session: Name | None = None
    as_of: AwareDatetime | None = None


_STATUS: list[tuple[type[LetheError], int]] = [
    (Unauthorised, 401),
    (InvalidInput, 422),
    (NotFound, 404),
    (NotRunning, 503),
]


def create_app(services: Services, handouts: HandOutLog | None = None) -> FastAPI:
    """The application; hand-outs go to `handouts`, which the caller flushes at its end."""
    app = FastAPI(title="Lethe", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, token=api_token(services.settings.home))

    @app.get(OPEN_PATH)
    def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.post("/v1/recall")
    def one(query: Query) -> Any:
        return _json(recall(services.engine, query, services.embedder, services.ranking, services.clock(), handouts))

    @app.post("/v1/recall/batch")
    def many(asked: Queries) -> Any:
        answers = recall_many(
            services.engine, asked.queries, services.embedder, services.ranking, services.clock(), handouts
        )
        return _json({"answers": answers})

    @app.post("/v1/embed")
    def embed(asked: Texts) -> Any:
        """Vectors as little-endian 32-bit numbers, one after the other, in base64."""
        packed = services.embedder.embed(asked.texts).astype("<f4").tobytes()
        return _json({"vectors": base64.b64encode(packed).decode()})

    @app.post("/v1/profile")
    def always(asked: ProfileOf) -> Any:
        return _json(
            profile(
                services.engine,
                asked.tenant,
                asked.user,
                asked.project,
                asked.as_of,
                now=services.clock(),
                session=asked.session,
                log=handouts,
            )
        )

    _answer_errors(app)
    return app


def _json(content: Any) -> JSONResponse:
    """Already plain values: FastAPI's own encoder would walk through each of them again."""
    return JSONResponse(content)


def _answer_errors(app: FastAPI) -> None:
    @app.exception_handler(LetheError)
    def known(_: Request, fault: LetheError) -> JSONResponse:
        status = next((status for sort, status in _STATUS if isinstance(fault, sort)), 500)
        return JSONResponse(fault.as_dict(), status_code=status)

    @app.exception_handler(RequestValidationError)
    def unusable(_: Request, fault: RequestValidationError) -> JSONResponse:
        places = "; ".join(f"{'.'.join(map(str, error['loc'][1:]))}: {error['msg']}" for error in fault.errors()[:5])
        return JSONResponse(InvalidInput(places or "the body is no JSON").as_dict(), status_code=422)

    @app.exception_handler(HTTPException)
    def no_such_thing(_: Request, fault: HTTPException) -> JSONResponse:
        if fault.status_code == 413:
            return JSONResponse(TooLarge().as_dict(), status_code=413)
        sort = NotFound if fault.status_code in (404, 405) else InvalidInput
        told = sort(str(fault.detail), hint="See the list of endpoints in docs/operations.md.")
        return JSONResponse(told.as_dict(), status_code=fault.status_code)

    @app.exception_handler(Exception)
    def unknown(_: Request, fault: Exception) -> JSONResponse:
        log.get().error("request.failed", failure=type(fault).__name__, place=_place(fault))
        unexpected = LetheError(
            f"the request failed ({type(fault).__name__})", hint="The log of the process `api` says more."
        )
        return JSONResponse(unexpected.as_dict(), status_code=500)


def _place(fault: Exception) -> str:
    """Where it failed: file and line alone, since messages and locals may quote text."""
    last = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{last.filename.rpartition('/')[2]}:{last.lineno}"
