"""Forgetting: jobs that let memories expire, fade, make room and come up for review, at the cost of what is due.

A job of one tenant works in batches, a transaction each; a batch changes its rows, writes their events and raises the
revision of their owners in one statement, and leaves alone what somebody else holds. Killed anywhere, it goes on where it was.
"""
