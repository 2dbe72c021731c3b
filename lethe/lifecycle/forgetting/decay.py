"""`decay`: archive what has faded. Archived is not lost: `lethe restore` brings it back, and so does new evidence."""

from __future__ import annotations

from lethe.lifecycle.forgetting.dated import Dated
from lethe.store import due

decay = Dated(
    job="decay",
    sort=due.DECAY,
    column="fades_at",
    counted="archived",
    change="archived",
    reason="'faded'",
    sets="retired_as = 'archived', retired_at = :now",
)
