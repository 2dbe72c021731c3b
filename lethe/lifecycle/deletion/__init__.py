"""Deletion: a request is one transaction after which nothing covered is there to be handed out; then the eraser reaches what
is no row, the verifier searches again and signs, and tombstones keep it from coming back (docs/deletion.md)."""
