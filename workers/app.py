"""The Celery application. The broker carries wake-ups only: what there is to do stands in PostgreSQL."""

from __future__ import annotations

from celery import Celery
from celery.signals import setup_logging, worker_process_init

from lethe import log
from lethe.endpoints import endpoints
from lethe.settings import settings
from workers import parts

app = Celery(
    "lethe",
    include=["workers.extract", "workers.gate", "workers.index", "workers.erase", "workers.sweep", "workers.timed"],
)
app.conf.update(
    broker_url=endpoints(settings()).broker_url,
    broker_connection_retry_on_startup=True,
    broker_transport_options={"visibility_timeout": 3600},
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    task_time_limit=600,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    task_create_missing_queues=True,
    task_routes={
        "extract.*": "extract",
        "gate.*": "gate",
        "index.*": "index",
        "erase.*": "erase",
        "sweep.*": "gate",
        "jobs.*": "jobs",
    },
    enable_utc=True,
    timezone="UTC",
)


@setup_logging.connect  # type: ignore[untyped-decorator]
def _own_log(**_: object) -> None:
    """Celery's own lines would carry arguments; ours carry ids."""
    log.configure()


@worker_process_init.connect  # type: ignore[untyped-decorator]
def _after_fork(**_: object) -> None:
    parts.after_fork()
