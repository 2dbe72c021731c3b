"""Eighteen months in about a minute: people whose lives change, the real line and jobs, and a clock of our own."""
