"""The picture of a simulation: store size, share of recalled that is current, and stale recalls, over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lethe.errors import LetheError
from lethe.simulation.running import Look

WIDE, HIGH, MARGIN = 1500, 520, 70
OURS, THEIRS, INK, PALE = "#0b6e6e", "#c2571a", "#222222", "#dddddd"


class NoPillow(LetheError):
    """The picture is drawn by Pillow, which is not installed."""

    code = "no_pillow"
    hint = "Install it with: pip install 'lethe-memory[simulate]', or leave --picture out."


@dataclass(frozen=True, slots=True)
class Panel:
    """One diagram: two lines over the days. `top`: the value at the upper edge."""

    title: str
    ours: list[float]
    theirs: list[float]
    top: float
    unit: str = ""


def panels(looks: Sequence[Look]) -> list[Panel]:
    """The three diagrams of a run."""
    sizes = [float(look.size) for look in looks], [float(look.everything_size) for look in looks]
    shares = (
        [100 * look.current / max(1, look.recalled) for look in looks],
        [100 * look.everything_current / max(1, look.everything_recalled) for look in looks],
    )
    stale = (
        [float(look.recalled - look.current) for look in looks],
        [float(look.everything_recalled - look.everything_current) for look in looks],
    )
    return [
        Panel("memories in the store", *sizes, top=_round_up(max(map(max, sizes)))),
        Panel("recalled that is current", *shares, top=100, unit="%"),
        Panel("recalled that is not current", *stale, top=_round_up(max(map(max, stale)))),
    ]


def draw(looks: Sequence[Look], file: Path) -> None:
    """Draw the three diagrams side by side into a PNG file; the same looks give the same bytes. Raises NoPillow."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise NoPillow("Pillow is not installed.") from None
    image = Image.new("RGB", (WIDE, HIGH), "white")
    canvas = ImageDraw.Draw(image)
    small, large = ImageFont.load_default(15), ImageFont.load_default(19)
    wide = WIDE // 3
    days = [look.day for look in looks]
    for number, panel in enumerate(panels(looks)):
        left, right = number * wide + MARGIN, (number + 1) * wide - 20
        _axes(canvas, panel, days, left, right, small, large)
        _line(canvas, days, panel.theirs, panel.top, left, right, THEIRS)
        _line(canvas, days, panel.ours, panel.top, left, right, OURS)
    _legend(canvas, large)
    image.save(file, format="PNG", optimize=False)


def _axes(canvas: Any, panel: Panel, days: Sequence[int], left: int, right: int, small: Any, large: Any) -> None:
    top, bottom = MARGIN, HIGH - MARGIN
    canvas.text((left, 28), panel.title, fill=INK, font=large)
    for step in range(5):
        y = bottom - (bottom - top) * step // 4
        value = panel.top * step / 4
        canvas.line([(left, y), (right, y)], fill=PALE)
        canvas.text((left - 8, y), f"{value:,.0f}{panel.unit}", fill=INK, font=small, anchor="rm")
    for month in range(0, days[-1] // 30 + 1, 6):
        x = _x(month * 30, days, left, right)
        canvas.text((x, bottom + 8), f"{month} months", fill=INK, font=small, anchor=_anchor(month, days))
    canvas.line([(left, top), (left, bottom), (right, bottom)], fill=INK)


def _anchor(month: int, days: Sequence[int]) -> str:
    """Labels at the edges stay inside."""
    if month == 0:
        return "la"
    return "ra" if month * 30 > days[-1] - 30 else "ma"


def _line(
    canvas: Any, days: Sequence[int], values: Sequence[float], top: float, left: int, right: int, colour: str
) -> None:
    high = HIGH - 2 * MARGIN
    points = [
        (_x(day, days, left, right), HIGH - MARGIN - high * value / top)
        for day, value in zip(days, values, strict=True)
    ]
    canvas.line(points, fill=colour, width=3, joint="curve")


def _x(day: int, days: Sequence[int], left: int, right: int) -> float:
    return left + (right - left) * day / days[-1]


def _legend(canvas: Any, font: Any) -> None:
    at = MARGIN
    for name, colour in (("Lethe", OURS), ("remember everything", THEIRS)):
        canvas.line([(at, HIGH - 18), (at + 40, HIGH - 18)], fill=colour, width=4)
        canvas.text((at + 50, HIGH - 18), name, fill=INK, font=font, anchor="lm")
        at += 170


def _round_up(value: float) -> float:
    step = 10.0 ** max(0, len(str(int(value))) - 1)
    return max(1.0, step * -(-value // step))
