"""The composition root of the command line: joins policies, workers and the core, and hands them to `lethe.cli`."""

from __future__ import annotations

import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from lethe.settings import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from lethe.client.client import Lethe
    from lethe.endpoints import Endpoints
    from lethe.settings import Settings


READY_S = 120.0
# One thread a process, and freed memory back to the system: a parser that keeps its peak grows by a third.
LEAN = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": "131072",
    "MALLOC_MMAP_THRESHOLD_": "131072",
}


class Services:
    """What the commands call. Everything heavy is made when it is first asked for."""

    @cached_property
    def settings(self) -> Settings:
        return settings()

    @cached_property
    def client(self) -> Lethe:
        from lethe.client.client import Lethe

        return Lethe(self.settings)

    def __getattr__(self, name: str) -> Any:
        """Everything that the client can do."""
        return getattr(self.client, name)

    def wait(self, timeout: float, progress: bool = False) -> bool:
        """Wait for the queues, with a line that tells how much is left where somebody is looking."""
        if not progress:
            return self.client.wait(timeout)
        from rich.console import Console

        with Console(stderr=True).status("working …") as shown:
            return self.client.wait(timeout, lambda left: shown.update(f"working … {left} left"))

    # --- the instance ---------------------------------------------------------------------------------------------

    def process_specs(self, workers: int, schedules: bool) -> list[dict[str, Any]]:
        """The processes that the supervisor keeps running. Raises InvalidInput for an extractor that cannot work."""
        self.policy()
        from lethe.errors import InvalidInput
        from workers import extractors

        if (missing := extractors.fault(self.settings)) is not None:
            raise InvalidInput(missing, hint="docs/extractors.md tells what each setting means.")
        celery = [sys.executable, "-m", "celery", "-A", "workers.app", "worker"]
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"]

        def worker(queues: str, name: str, *pool: str) -> list[str]:
            return [*celery, "-Q", queues, "-n", f"{name}@%h", *pool, *quiet]

        many = ("-c", str(workers))
        model = {"HF_HUB_OFFLINE": "1"}
        specs: list[dict[str, Any]] = [
            {"name": "relay", "command": [sys.executable, "-m", "workers.relay"], "env": LEAN},
            {"name": "worker-extract", "command": worker("extract", "extract", *many), "env": LEAN},
            {"name": "worker-gate", "command": worker("gate,erase", "gate", *many), "env": LEAN},
            {"name": "worker-index", "command": worker("index", "index", "--pool", "solo"), "env": model},
            {"name": "worker-jobs", "command": worker("jobs", "jobs", "-c", "1"), "env": LEAN},
            {"name": "api", "command": [sys.executable, "-m", "workers.api"], "env": model},
        ]
        if schedules:
            command = [sys.executable, "-m", "celery", "-A", "schedules.beat", "beat", "-S", "redbeat.RedBeatScheduler"]
            specs.append({"name": "beat", "command": [*command, "--loglevel", "WARNING"], "env": LEAN})
        return specs

    def prepare(self, where: Endpoints) -> None:
        """Bring the database up to date before anything works on it."""
        from lethe.errors import NotRunning
        from lethe.store.migrate import upgrade

        if where.admin_url is None:
            if self.settings.database_url is None:
                raise NotRunning("The embedded server told no administrator.")
            from lethe.store.migrate import is_current

            if not is_current(where.database_url):
                raise NotRunning(
                    "The database named in LETHE_DATABASE_URL has no current schema.",
                    hint="Set LETHE_ADMIN_URL to the role that owns the database and run `lethe up` again.",
                )
            return
        upgrade(where.admin_url, unquote(urlsplit(where.database_url).username or ""))

    def wait_until_ready(self) -> None:
        """Wait until the local HTTP process has its model and answers."""
        import time

        from lethe.errors import NotRunning
        from lethe.web.local import healthy

        until = time.monotonic() + READY_S
        while not healthy(self.settings):
            if time.monotonic() > until:
                raise NotRunning(f"The local process does not answer; see {self.settings.home}/logs/api.log.")
            time.sleep(0.1)

    def queue_status(self) -> dict[str, Any]:
        """Queue depths and what was set aside."""
        from lethe import clock
        from lethe.lifecycle.deletion import receipts
        from lethe.store import job_runs, work
        from workers import extractors

        engine, now = self.client.engine, clock.now()
        found = work.overview(engine, now) | {"jobs": job_runs.overview(engine)}
        found["deletions"] = receipts.overview(engine, now)
        return found | {"extractor": extractors.overview(self.settings, self.policy(), engine, now)}

    def figures(self, tenant: str | None) -> dict[str, Any]:
        """What `lethe metrics` tells: processes, queues, jobs, deletions and, where one is named, a tenant."""
        from lethe import clock
        from lethe.client.names import checked
        from lethe.embedded import instance
        from lethe.recall.figures import figures

        checked(tenant=tenant)
        now = clock.now()
        found = {"at": now.isoformat(), "processes": instance.processes(self.settings), **self.queue_status()}
        if tenant is not None:
            found["tenant"] = {"tenant": tenant, **figures(self.client.engine, tenant, now)}
        return found

    def audit(self, tenant: str, tick: Callable[[int, int], None]) -> dict[str, Any]:
        """What `lethe audit` tells of a tenant."""
        from lethe import clock
        from lethe.audit import audit
        from lethe.client.names import checked
        from workers import parts

        checked(tenant=tenant)
        client, counted = self.client, parts.uses().standing(tenant)
        return audit(client.engine, tenant, client.rules, client.keys, counted, clock.now(), tick)

    def checks(self) -> list[dict[str, Any]]:
        """Doctor's checks that know the policy and the queues."""
        return [
            self._check_policy(),
            self._check_queues(),
            self._check_extractor(),
            self._check_deletions(),
            self._check_keys(),
        ]

    def _check_policy(self) -> dict[str, Any]:
        from lethe.errors import LetheError

        try:
            return {"check": "policy", "ok": True, "found": self.client.rules.version, "advice": ""}
        except LetheError as fault:
            return {"check": "policy", "ok": False, "found": fault.message, "advice": fault.hint}

    def _check_queues(self) -> dict[str, Any]:
        try:
            aside = self.queue_status()["quarantined"]
        except Exception:
            return _not_checked("queues")
        found = ", ".join(f"{row['count']} at {row['stage']} ({row['failure']})" for row in aside)
        advice = (
            "`lethe retry` tries again what was set aside; the logs of the workers name the failures." if aside else ""
        )
        return {"check": "queues", "ok": not aside, "found": found or "nothing set aside", "advice": advice}

    def _check_deletions(self) -> dict[str, Any]:
        try:
            found = self.queue_status()["deletions"]
        except Exception:
            return _not_checked("deletions")
        late = found["overdue"]
        advice = "`lethe run verify` tries again; `lethe receipts --tenant T` shows each attempt." if late else ""
        told = f"{found['open']} open, {late} overdue, {found['verified']} verified"
        return {"check": "deletions", "ok": not late, "found": told, "advice": advice}

    def _check_keys(self) -> dict[str, Any]:
        keys = self.keys_known()["keys"]
        current = {row["sort"]: row["key"] for row in keys if row["state"] == "current"}
        told = f"hashes under {current['hash']}, receipts under {current.get('receipt', 'none yet')}; {len(keys)} keys kept"
        open_ones = sorted(
            file.name for file in (self.settings.home / "keys").glob("*.key") if file.stat().st_mode & 0o077
        )
        advice = f"Others can read {', '.join(open_ones)}: chmod 600, then `lethe keys rotate`." if open_ones else ""
        return {"check": "keys", "ok": not open_ones, "found": told, "advice": advice}

    def _check_extractor(self) -> dict[str, Any]:
        from workers import extractors

        missing = extractors.fault(self.settings)
        if missing is not None:
            return {"check": "extractor", "ok": False, "found": self.settings.extractor, "advice": missing}
        try:
            found = self.queue_status()["extractor"]
        except Exception:
            return _not_checked("extractor")
        breaker = found.get("breaker", {"state": "closed", "failure": None})
        if breaker["state"] == "closed":
            return {"check": "extractor", "ok": True, "found": found["name"], "advice": ""}
        advice = "Turns wait until the model's endpoint answers; check LETHE_LLM_BASE_URL, LETHE_LLM_API_KEY and LETHE_LLM_MODEL."
        return {
            "check": "extractor",
            "ok": False,
            "found": f"{found['endpoint']}: {breaker['failure']}",
            "advice": advice,
        }

    # --- keys -----------------------------------------------------------------------------------------------------

    def keys_known(self) -> dict[str, Any]:
        """The keys of hashes and receipts by id: {"keys": [{"sort", "key", "state", "made_at", "in_use_from"}]}."""
        from lethe import clock, keys
        from lethe.lifecycle.deletion import signing

        return {"keys": keys.described(self.settings.home, clock.now()) + signing.described(self.settings.home)}

    def rotate_keys(self) -> dict[str, Any]:
        """New keys: {"hash", "hash_in_use_from", "receipt"}."""
        from lethe import clock, keys
        from lethe.lifecycle.deletion import signing

        made = keys.rotate(self.settings.home)
        row = next(row for row in keys.described(self.settings.home, clock.now()) if row["key"] == made)
        return {
            "hash": made,
            "hash_in_use_from": row["in_use_from"],
            "receipt": signing.rotate(self.settings.home),
        }

    # --- jobs -----------------------------------------------------------------------------------------------------

    def run_job(
        self, job: str, *, as_of: Any = None, tenant: str | None = None, dry_run: bool = False, force: bool = False
    ) -> dict[str, Any]:
        """Run a job here and now: {"job", "as_of", "dry_run", "due", "changed", "seconds", …}."""
        import time

        from lethe import clock, log
        from lethe.client.names import checked
        from workers import parts
        from workers.jobs import JOBS, Order, final_deletion

        checked(tenant=tenant)
        log.configure()
        now = clock.now()
        order = Order(
            self.client.engine, self.client.rules, as_of or now, now, tenant=tenant, dry_run=dry_run, force=force,
            actor="operator", delete=final_deletion(self.client.reach), uses=parts.uses(), embedder=parts.asked_embedder(),
        )  # fmt: skip
        began = time.monotonic()
        found = JOBS[job](order)
        seconds = round(time.monotonic() - began, 3)
        return {
            "job": job,
            "as_of": order.now.isoformat(),
            "dry_run": dry_run,
            "due": 0,
            "changed": {},
            **found,
            "seconds": seconds,
        }

    def simulate(self, *, users: int, days: int, seed: int, tick: Any) -> Any:
        """Live through a time that is not ours, on a private instance without workers; see lethe.simulation."""
        from workers.simulated import simulated

        return simulated(self, users=users, days=days, seed=seed, tick=tick)

    # --- the policy -----------------------------------------------------------------------------------------------

    def policy_text(self) -> tuple[str, str]:
        """(name, text) of the policy file in force."""
        from workers import wiring

        return wiring.policy_source(self.settings.policy)

    def policy(self) -> Any:
        """The policy in force."""
        from workers import wiring

        return wiring.policy(self.settings.policy)

    def policy_faults(self, file: Path) -> list[dict[str, Any]]:
        """Every fault of a policy file."""
        from policies.policy import faults
        from workers import wiring

        return [dict(fault) for fault in faults(file.read_text(), base=wiring.default_text())]

    def policy_replay(self, file: Path, tenant: str) -> dict[str, Any]:
        """What a policy file would have decided about a tenant's recorded proposals."""
        from lethe.client.names import checked
        from lethe.lifecycle.replay import replay
        from workers import wiring

        checked(tenant=tenant)
        rules = wiring.bind(wiring.policy(file)).of(tenant)
        found = replay(self.client.engine, tenant, rules, self.client.keys)
        return {"policy": rules.version, "tenant": tenant, **found.as_dict()}


def _not_checked(name: str) -> dict[str, Any]:
    advice = "See the check of PostgreSQL first."
    return {"check": name, "ok": False, "found": "not checked: the database does not answer", "advice": advice}


def main() -> int:
    """The `lethe` command."""
    from lethe.cli.main import run

    return run(Services())


if __name__ == "__main__":
    sys.exit(main())
