"""The servers of one instance, under LETHE_HOME: PostgreSQL and Valkey from their wheels, and what keeps them running."""
