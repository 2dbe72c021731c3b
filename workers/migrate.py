"""Bring the database named by LETHE_DATABASE_URL and LETHE_ADMIN_URL up to date, once, before anything works on it."""

from __future__ import annotations

from lethe.endpoints import endpoints
from lethe.settings import settings
from workers.main import Services

if __name__ == "__main__":
    Services().prepare(endpoints(settings()))
