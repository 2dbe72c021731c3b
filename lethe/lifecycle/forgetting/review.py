"""`review`: what has passed its review date, or was marked unhelpful again and again, becomes stale and is put to people.

Stale is handed out still, marked, until somebody resolves the review or new evidence revalidates the memory.
"""

from __future__ import annotations

from lethe.lifecycle.forgetting.dated import Dated
from lethe.store import due

review = Dated(
    job="review",
    sort=due.REVIEW,
    column="review_after",
    counted="stale",
    change="stale",
    reason="case when m.unhelpful >= :unhelpful then 'marked_unhelpful' else 'review_due' end",
    sets="stale_since = :now",
    where="m.stale_since is null",
    also="""insert into reviews (tenant, id, key, memories, reason, opened_at)
 select :tenant, gen_random_uuid(), c.key, array[c.id], c.reason, :now from changed c
 where not exists (select from reviews r where r.tenant = :tenant and r.key = c.key and r.resolved_at is null and c.id = any(r.memories))
 order by c.id""",
    retires=False,
)
