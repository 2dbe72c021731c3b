#!/bin/sh
# First start of the database: the role that the application uses. It owns nothing and cannot bypass row-level security.
set -eu
psql -v ON_ERROR_STOP=1 -v word="$LETHE_APP_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role lethe_app login nosuperuser nobypassrls nocreatedb nocreaterole password :'word';
create extension if not exists vector;
SQL
