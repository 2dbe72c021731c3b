"""`expire`: what has passed its time to live or its stated deadline, and what belongs to a task that has ended."""

from __future__ import annotations

from lethe.lifecycle.forgetting.dated import Dated
from lethe.store import due

expire = Dated(
    job="expire",
    sort=due.EXPIRE,
    column="expires_at",
    counted="expired",
    change="expired",
    reason="""case
 when m.task is not null and exists (
   select from ended_tasks e where e.tenant = m.tenant and e.owner = m.owner and e.ended_at >= m.expires_at) then 'task_ended'
 when (select p.expires_at is not null from proposals p where p.tenant = m.tenant and p.id = m.lead) then 'deadline_passed'
 else 'time_to_live' end""",
    sets="retired_as = 'expired', retired_at = :now",
)
