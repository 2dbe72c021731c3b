"""Log files of bounded size. Every writer appends, so a file can be emptied under it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

LARGEST = 10 * 1024 * 1024  # bytes of one file; one older file is kept beside it


def rotate_all(folder: Path, *, only: str = "*.log") -> None:
    """Move what grew beyond the limit to NAME.log.1 and go on with an empty file."""
    for file in folder.glob(only):
        if file.stat().st_size > LARGEST:
            older = file.with_suffix(".log.1")
            shutil.copyfile(file, older)
            older.chmod(0o600)
            os.truncate(file, 0)


def last_lines(file: Path) -> list[str]:
    """The last lines (8 KB) of a log, at least one, to be quoted in an error."""
    try:
        with open(file, "rb") as stream:
            stream.seek(max(0, file.stat().st_size - 8192))
            lines = stream.read().decode(errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return lines or ["it wrote no log"]
