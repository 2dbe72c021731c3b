"""What the gate asks of one proposal, its turn and what was recalled into its session: an ordered table of small checks.

Checks that need the other proposals of the same key (repetition, stability, conflict) are in policies/fold.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lethe.records import Act, Author, Basis, Kind, Proposal, Reason, Sensitivity, Turn
from lethe.rules import Verdict
from policies import amounts, bearing, grounds, wording
from policies.case import Case, Context
from policies.echo import is_echo
from policies.policy import Policy
from policies.privilege import privilege

Answer = Literal["keep", "hold", "reject"]


Check = Callable[[Case], Answer]


def screen(proposal: Proposal, context: Context, policy: Policy) -> Verdict:
    """Every reason to refuse or hold the proposal, in the order of the table, and how a memory of it is to be handled."""
    case = Case(proposal, context, policy)
    answers = [(reason, check(case)) for reason, check in CHECKS]
    sensitivity = _sensitivity(case)
    return Verdict(
        refusals=tuple(reason for reason, answer in answers if answer == "reject"),
        holds=tuple(reason for reason, answer in answers if answer == "hold"),
        sensitivity=sensitivity,
        allowed_uses=policy.uses(proposal.kind, sensitivity),
    )


def turn_refusal(turn: Turn, policy: Policy) -> Reason | None:
    """Why nothing durable may come from a turn, whatever it says; None: its proposals are looked at one by one."""
    return _untrusted(turn.author, turn.verified, turn.text, policy)


def _untrusted(author: Author, verified: bool, text: str, policy: Policy) -> Reason | None:
    if author is Author.ASSISTANT:
        return Reason.ASSISTANT_AUTHORED
    trusted = author.value in policy.trust.authors or (verified and author.value in policy.trust.verified_authors)
    if not trusted:
        return Reason.UNTRUSTED_SOURCE
    return Reason.MODEL_DERIVED if author is not Author.USER and wording.MADE_BY_MODEL.search(text) else None


def _sensitivity(case: Case) -> Sensitivity:
    return Sensitivity.PERSONAL if case.sensed.categories or case.sensed.constraint else Sensitivity.NORMAL


def _if(refused: object, answer: Answer = "reject") -> Answer:
    return answer if refused else "keep"


# --- scope and provenance -----------------------------------------------------------------------------------------


def _scope_missing(case: Case) -> Answer:
    return _if(case.proposal.scope.user is None and case.proposal.scope.project is None)


def _scope_ambiguous(case: Case) -> Answer:
    """Only what would be applied somewhere: a fact about "the project" is still a fact, an instruction for it is not
    one for everything. No scope is wider than a project."""
    if Reason.SCOPE_AMBIGUOUS in case.signals:
        return "hold"
    if case.proposal.kind is not Kind.INSTRUCTION:
        return "keep"
    said = " ".join([case.claim, *case.sentences])
    if wording.FOR_EVERYBODY.search(said):
        return case.policy.scope.wider_than_project
    if case.proposal.scope.project is None and wording.FOR_THE_PROJECT.search(said):
        return case.policy.scope.project_words_without_project
    return "keep"


def _no_provenance(case: Case) -> Answer:
    return _if(not case.context.has_provenance)


def _forgotten(case: Case) -> Answer:
    return _if(case.context.tombstoned)


# --- trust --------------------------------------------------------------------------------------------------------


def _untrusted_source(case: Case) -> Answer:
    return _if(_source_refusal(case) is Reason.UNTRUSTED_SOURCE or Reason.UNTRUSTED_SOURCE in case.signals)


def _assistant_authored(case: Case) -> Answer:
    return _if(_source_refusal(case) is Reason.ASSISTANT_AUTHORED or Reason.ASSISTANT_AUTHORED in case.signals)


def _source_refusal(case: Case) -> Reason | None:
    return _untrusted(case.proposal.author, case.proposal.verified, case.context.turn_text, case.policy)


def _model_derived(case: Case) -> Answer:
    """Summaries of sessions and answers of a memory are other memories in disguise, whoever pasted them."""
    own = grounds.parts(case.context.turn_text).own
    disguised = wording.MADE_BY_MODEL.search(case.context.turn_text if case.proposal.author is not Author.USER else own)
    inferred = case.proposal.basis is Basis.INFERRED and case.proposal.author is Author.ASSISTANT
    return _if(Reason.MODEL_DERIVED in case.signals or disguised or inferred)


def _quoted_content(case: Case) -> Answer:
    return _if(Reason.QUOTED_CONTENT in case.signals or _only_quoted(case))


def _only_quoted(case: Case) -> bool:
    """The local extractor tells by the parse what others are said to have said, and what is the value of a clause."""
    value = case.proposal.object if case.reworded else ""
    return grounds.only_quoted(case.claim, value, case.context.turn_text, reports=case.reworded and case.about_the_user)


def _privilege_claim(case: Case) -> Answer:
    """The sentence counts with the claim: half of "I am in the team and am cleared for X" is part of the same claim."""
    if case.proposal.author is Author.TOOL and case.proposal.verified and case.proposal.kind is Kind.EPISODIC:
        return _if(privilege(case.claim) == "memory")
    said = any(map(privilege, [case.claim, case.proposal.object, *case.sentences]))
    return _if(Reason.PRIVILEGE_CLAIM in case.signals or said, case.policy.trust.privilege_claims)


def _third_party(case: Case) -> Answer:
    """Somebody else's taste or order is never the user's; facts about them stand under their own subject."""
    if case.about_the_user:
        if (
            case.reworded
            and case.proposal.kind is not Kind.INSTRUCTION
            and bearing.of_somebody_else(case.claim, case.sentences)
        ):
            return "reject"
        others = case.proposal.kind in (Kind.PREFERENCE, Kind.INSTRUCTION) and wording.SOMEBODY_ELSE.search(case.claim)
        return _if(case.proposal.third_party or Reason.THIRD_PARTY in case.signals or others)
    if case.sensed.related or not (case.sensed.categories or case.sensed.constraint):
        return "keep"
    return case.policy.sensitivity.third_parties


def _echo(case: Case) -> Answer:
    """What ends or denies a recalled memory, or confirms it outright, is news about it."""
    if case.proposal.basis is Basis.CONFIRMED or case.proposal.act is not Act.ASSERT or case.proposal.supersedes:
        return "keep"
    likeness = case.policy.admission.echo_likeness
    return _if(Reason.ECHO in case.signals or is_echo(case.claim, case.context.recalled_claims, likeness))


# --- kind and sensitivity -----------------------------------------------------------------------------------------


def _kind_not_enabled(case: Case) -> Answer:
    kind = case.proposal.kind
    return _if(kind not in (Kind.PROCEDURAL, Kind.WORKING) and kind.value not in case.policy.kinds.enabled)


def _procedural_is_configuration(case: Case) -> Answer:
    steps = case.proposal.kind is Kind.INSTRUCTION and wording.PROCEDURE.search(case.claim)
    signalled = Reason.PROCEDURAL_IS_CONFIGURATION in case.signals
    return _if(case.proposal.kind is Kind.PROCEDURAL or signalled or steps)


def _working_context(case: Case) -> Answer:
    signalled = Reason.WORKING_CONTEXT in case.signals
    return _if(case.proposal.kind is Kind.WORKING or signalled or wording.THE_TASK_AT_HAND.search(case.claim))


def _secret(case: Case) -> Answer:
    return _if(Reason.SECRET in case.signals or Reason.SECRET in case.found)


def _sensitive_identifier(case: Case) -> Answer:
    return _if(Reason.SENSITIVE_IDENTIFIER in case.signals or Reason.SENSITIVE_IDENTIFIER in case.found)


def _needs_consent(case: Case) -> Answer:
    rules, sensed = case.policy.sensitivity, case.sensed
    if Reason.NEEDS_CONSENT in case.signals:
        return "hold"
    if not sensed.related:
        return "keep"
    if sensed.categories.intersection(rules.consent_categories):
        return "hold"
    return rules.plain_constraints if sensed.constraint else "keep"


# --- assertion ----------------------------------------------------------------------------------------------------


def _not_asserted(case: Case) -> Answer:
    """An agent or a model may hand in as a fact what its turn only asked or supposed."""
    if (
        Reason.NOT_ASSERTED in case.signals
        or wording.QUESTION.search(case.worded)
        or wording.SUPPOSITION.search(case.worded)
    ):
        return "reject"
    if not case.reworded or case.proposal.kind is Kind.INSTRUCTION:
        return "keep"
    asked = bool(case.sentences) and all(map(wording.ASKED_BY_USER.search, case.sentences))
    wished = case.proposal.kind is not Kind.PREFERENCE and bearing.only_wished(case.claim, case.clauses)
    return _if(asked or wished or any(wording.SUPPOSITION.search(case.unnamed(each)) for each in case.sentences))


def _speculative(case: Case) -> Answer:
    """By the main clause of the claim; an agent's or a model's also by the words of the turn that it rests on."""
    if Reason.SPECULATIVE in case.signals:
        return "reject"
    if case.proposal.kind is Kind.INSTRUCTION:
        return "keep"
    main = wording.ASIDE.split(case.worded, maxsplit=1)[0]
    return _if(wording.HEDGE.search(main) or (case.reworded and _doubted(case)))


def _doubted(case: Case) -> bool:
    considered = not wording.CONSIDERED.search(case.claim) and any(map(wording.CONSIDERED.search, case.clauses))
    return considered or any(wording.HEDGE.search(case.unnamed(each)) for each in case.clauses)


def _low_confidence(case: Case) -> Answer:
    return _if(case.proposal.confidence < case.policy.admission.min_confidence)


# --- relevance, freshness, volume ---------------------------------------------------------------------------------


def _small_talk(case: Case) -> Answer:
    return _if(Reason.SMALL_TALK in case.signals or wording.SMALL_TALK.search(case.worded))


def _transient(case: Case) -> Answer:
    if Reason.TRANSIENT in case.signals:
        return "reject"
    if case.proposal.kind is Kind.INSTRUCTION:
        return _if(wording.ONCE_ONLY.search(case.claim))
    passing = wording.MOOD_NOW.search(case.worded) or (
        wording.THIS_MOMENT.search(case.worded) and not wording.LASTING.search(case.claim)
    )
    return _if(passing)


def _authoritative_elsewhere(case: Case) -> Answer:
    """Status is read where it is kept; that something was done stays true (a verified tool's outcome)."""
    outcome = case.proposal.author is Author.TOOL and case.proposal.verified and case.proposal.kind is Kind.EPISODIC
    signalled = Reason.AUTHORITATIVE_ELSEWHERE in case.signals
    return _if(not outcome and (signalled or wording.CURRENT_STATUS.search(case.claim)))


def _not_self_contained(case: Case) -> Answer:
    proposal = case.proposal
    undated = proposal.event_at is None and proposal.expires_at is None and wording.RELATIVE_DAY.search(case.worded)
    pointing = wording.POINTS_AWAY.search(case.worded) or wording.ONLY_A_POINTER.fullmatch(
        proposal.object.strip(" .!?")
    )
    return _if(Reason.NOT_SELF_CONTAINED in case.signals or undated or pointing or wording.is_fragment(case.claim))


def _not_grounded(case: Case) -> Answer:
    """What an agent hands in must rest on words of its turn, or of what helps to read it; an extractor checks its own."""
    proposal, context = case.proposal, case.context
    if Reason.NOT_GROUNDED in case.signals:
        return "reject"
    if case.reworded and proposal.kind is not Kind.INSTRUCTION and _turns_round(case):
        return "reject"
    handed_in = proposal.explicit and not _only_quoted(case)
    rests = handed_in and grounds.rests_on(
        proposal.claim, proposal.object, context.turn_text, context.window, reports=case.about_the_user
    )
    stands = rests and amounts.told(proposal.claim, proposal.object, context.turn_text, context.window)
    return _if(handed_in and not stands)


def _turns_round(case: Case) -> bool:
    """The turn denies what is claimed, or says that it is over."""
    proposal = case.proposal
    if proposal.act is not Act.ASSERT:
        return False
    return bearing.denied(case.claim, proposal.negated, case.clauses) or bearing.over(
        case.claim, proposal.object, case.clauses
    )


def _already_expired(case: Case) -> Answer:
    return _if(case.proposal.expires_at is not None and case.proposal.expires_at <= case.proposal.observed_at)


def _turn_quota(case: Case) -> Answer:
    return _if(case.context.proposals_before >= case.policy.admission.turn_quota)


CHECKS: tuple[tuple[Reason, Check], ...] = (
    (Reason.SCOPE_MISSING, _scope_missing),
    (Reason.SCOPE_AMBIGUOUS, _scope_ambiguous),
    (Reason.NO_PROVENANCE, _no_provenance),
    (Reason.FORGOTTEN, _forgotten),
    (Reason.UNTRUSTED_SOURCE, _untrusted_source),
    (Reason.ASSISTANT_AUTHORED, _assistant_authored),
    (Reason.MODEL_DERIVED, _model_derived),
    (Reason.QUOTED_CONTENT, _quoted_content),
    (Reason.PRIVILEGE_CLAIM, _privilege_claim),
    (Reason.THIRD_PARTY, _third_party),
    (Reason.ECHO, _echo),
    (Reason.KIND_NOT_ENABLED, _kind_not_enabled),
    (Reason.PROCEDURAL_IS_CONFIGURATION, _procedural_is_configuration),
    (Reason.WORKING_CONTEXT, _working_context),
    (Reason.SECRET, _secret),
    (Reason.SENSITIVE_IDENTIFIER, _sensitive_identifier),
    (Reason.NEEDS_CONSENT, _needs_consent),
    (Reason.NOT_ASSERTED, _not_asserted),
    (Reason.SPECULATIVE, _speculative),
    (Reason.LOW_CONFIDENCE, _low_confidence),
    (Reason.SMALL_TALK, _small_talk),
    (Reason.TRANSIENT, _transient),
    (Reason.AUTHORITATIVE_ELSEWHERE, _authoritative_elsewhere),
    (Reason.NOT_SELF_CONTAINED, _not_self_contained),
    (Reason.NOT_GROUNDED, _not_grounded),
    (Reason.ALREADY_EXPIRED, _already_expired),
    (Reason.TURN_QUOTA, _turn_quota),
)
