"""docker-compose.yml runs what the embedded instance runs: the same processes, queues and server settings."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from lethe.embedded.postgres import CONFIGURATION

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    return found


def test_every_queue_has_one_service_of_its_own(services: dict[str, Any]) -> None:
    routes = re.search(r"task_routes=\{(.*?)\}", (ROOT / "workers/app.py").read_text(), re.DOTALL)
    assert routes
    queues = set(re.findall(r': "(\w+)"', routes[1]))
    served = [
        service["command"][service["command"].index("-Q") + 1]
        for service in services.values()
        if "-Q" in service.get("command", [])
    ]
    assert sorted(served) == sorted(queues)


def test_every_module_that_a_service_runs_exists(services: dict[str, Any]) -> None:
    for name, service in services.items():
        command = service.get("command", [])
        if isinstance(command, list) and command[:2] == ["python", "-m"]:
            assert importlib.util.find_spec(command[2]), name
        if isinstance(command, list) and command[:2] == ["celery", "-A"]:
            assert importlib.util.find_spec(command[2]), name


def test_the_database_server_has_the_settings_of_the_embedded_one(services: dict[str, Any]) -> None:
    given = dict(re.findall(r"-c (\w+)=(\S+)", services["postgres"]["command"]))
    embedded = dict(re.findall(r"^(\w+) = '?([^'\n]*)'?$", CONFIGURATION, re.MULTILINE))
    assert given
    for name, value in given.items():
        assert embedded.get(name) == value, name


def test_only_migrations_and_erasures_maintenance_know_the_owners_role(services: dict[str, Any]) -> None:
    knowing = [name for name, service in services.items() if "LETHE_ADMIN_URL" in service.get("environment", {})]
    assert knowing == ["migrate", "worker-erase"]


def test_the_broker_never_evicts(services: dict[str, Any]) -> None:
    command = services["broker"]["command"]
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"
    assert command[command.index("--appendonly") + 1] == "yes"


def test_every_service_waits_for_what_it_needs(services: dict[str, Any]) -> None:
    for name, service in services.items():
        for needed in service.get("depends_on", {}):
            assert needed in services, f"{name} waits for {needed}"
