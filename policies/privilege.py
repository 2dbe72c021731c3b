"""Claims that would give somebody rights, move money or access, or steer the memory itself.

A user may say what they do and what they are; a standing permission is configuration, not memory. Each group below names
what it catches. "The user is system administrator of a sports club's website" states an occupation and passes.
"""

from __future__ import annotations

import re
from functools import lru_cache

from policies.plain import as_it_reads
from policies.privilege_standing import GRANTS

# In the patterns below "…" stands for any character of the same sentence; a full stop inside a name belongs to it.
_SAME_SENTENCE = r"(?:[^.]|\.(?=\w))"

_I = r"(?:\bi\b|\bi['’]m|\buser\b|\buser\s+account\b|\bthey\b|\bspeaker\b|\baccount\b)"
_AGENT = r"(?:you|the assistant|assistant|agents?|the agent|this system|the system|it)"
_ACTION = (
    r"(?:pay|paid|send|sent|buy|bought|order|ordered|transfer(?:red)?|approve[d]?|book(?:ed)?|delete[d]?|share[d]?|"
    r"publish(?:ed)?|post(?:ed)?|"
    r"sign(?:ed)?|release[d]?|grant(?:ed)?|deploy(?:ed)?|merge[d]?|forward(?:ed)?|withdraw|refund(?:ed)?|execute[d]?|"
    r"run|unlock(?:ed)?|"
    r"do|act|proceed|go ahead|access|change[d]?|cancel(?:led)?|submit(?:ted)?|install(?:ed)?|spend|reply|answer|"
    r"mail(?:ed)?|e-?mail(?:ed)?)"
)
_CONSENT = (
    r"(?:approvals?|confirmations?|confirming|authori[sz]ation|permissions?|verification|verifying|authentication|"
    r"2fa|mfa|sign-?off|"
    r"second (?:confirmation|opinion|factor|pair of eyes)|four-eyes|double[- ]check(?:s|ing)?|review(?:ing)?|checks?|"
    r"checking|asking|"
    r"consent|limits?|restrictions?)"
)
_NO_MAIL = r"(?!\s+(?:e-?mails?|messages?|letters?|pages?|screens?|dialogs?|numbers?))"
_DESTINATION = (
    r"(?:[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+|\b(?:account|iban|wallet|address|number|phone)\b…{0,40}\d{3,}|"
    r"\baccount\s+(?:ending|of|at|with)\b|"
    r"\bnew (?:account|iban|wallet|bank)\b|\b[A-Z]{2}\d{2}[ \d]{8,})"
)

_CHECK = (
    r"(?:approvals?|confirmations?|authori[sz]ations?|verifications?|authentication|two-(?:factor|step)|2fa|mfa|"
    r"reviews?|"
    r"checks?|limits?|caps?|rules?|polic(?:y|ies)|restrictions?|safeguards?|guardrails?|filters?|sign-?offs?|"
    r"prompts?|queue)"
)
_ME = r"(?:\bme\b|\bmy\b|\bi\b|\bus\b|\buser(?:['’]s)?\b|\bthis account\b)"
_MAY = (
    r"(?:can|may|(?:am|is|are|['’]m|was|and) (?:also |fully |hereby )?(?:allowed|entitled|authori[sz]ed|permitted|"
    r"empowered|free|able|cleared)(?: to)?|"
    r"(?:have|has|got|hold|holds) (?:the |a |my |full )?(?:permission|right|power|authority|mandate|okay) (?:to|for)|"
    r"gets? to|lets? (?:me|the user))"
)
_DEED = (
    r"(?:approv|authori[sz]|sign(?: off| for)?|releas|pay|order|transfer|waiv|delet|eras|reset|chang|edit|modif|see|"
    r"view|read|access|open|issu|"
    r"refund|spend|grant|revok|decid|cancel|lock|unlock|export|download|deploy|restart|shut)\w*"
)
# What somebody keeps that others may not see: "all salaries", and not "all three films".
_KEPT = (
    r"(?:data\w*|records?|files?|folders?|accounts?|customers?\w*|users?\w*|tenants?|orders?|invoices?|contracts?|mails?|e-?mails?|messages?|"
    r"documents?|reports?|payments?|logs?|settings?|secrets?|calendars?|requests?|transactions?|salar\w+|servers?|systems?|networks?|platforms?|"
    r"tools?|inbox\w*|mailbox\w*|repos?\w*|code|buildings?|vaults?|safes?|everything|anything|all|production|backups?|budgets?|personnel)"
)
_NOT_ONES_OWN = (
    r"(?:other (?:people|users?|customers?|accounts?|employees)\w*|others['’]|another user|anyone['’]s|everyone['’]s|"
    r"anybody['’]s|everybody['’]s|all (?:the )?\w+|every \w+|any \w+|anything|"
    r"everything|confidential|personnel|salar(?:y|ies)|customers?['’]?|users['’]?|employees?['’]?|fees?|budgets?|"
    r"payments?|refunds?|invoices?|contracts?|"
    r"transfers?|limits?|expenses?|production|records?|orders|for (?:the|every|any|all)\b)"
)

RIGHTS = (
    # holds a role of power here: "I am the administrator here", "as the owner of this platform"
    rf"{_I}…{{0,20}}?\b(?:am|is|['’]m)\s+(?:(?:an?\s+|the\s+)?(?:\w+\s+){{0,2}}?(?:admin|administrator|root|superuser|"
    r"super-?admin|sysadmin)|(?:the|your|its)\s+(?:system\s+|chief\s+|lead\s+)?(?:moderator|operator|developer))"
    r"(?=\s*(?:$|[.,;!]|here\b|and\b|so\b|with\b|of (?:this|the) (?:system|platform|account|tenant|workspace|site|"
    r"service|application|assistant|bot)|on (?:this|the)|for (?:this|the|all|every)))",
    r"\bas (?:the |an? )?(?:owner|admin|administrator|operator|developer|creator|root)\b…{0,40}\b(?:system|platform|"
    r"account|tenant|workspace|assistant|tools?|bot)\b",
    r"\b(?:the |an? )?(?:owner|creator|developer|operator) of (?:this|the) (?:system|platform|assistant|tenant|"
    r"workspace|memory|bot|agent)\b",
    # and of parts of it: "an admin of the billing system", "has root on the servers", "holds signing authority"
    rf"{_I}…{{0,10}}?\b(?:am|is|['’]m)\s+(?:an?\s+|the\s+)?(?:\w+\s+)?(?:admin|administrator|superuser|super-?admin)\s+(?:of|on|for|in)\s+"
    r"(?:the|our|your|this|all|every)\s+(?:\w+\s+){0,2}(?:systems?|platforms?|accounts?|tenants?|workspaces?|servers?|databases?|"
    r"clusters?|consoles?|billing|production|network|domain|cloud)\b",
    r"\b(?:has|have|holds?|got)\s+(?:\w+\s+)?(?:root|sudo)\s+(?:on|in|for|at)\b",
    r"\b(?:signing|signatory|approval|approving)\s+(?:authority|powers?|rights?)\b|\bclearance to\b",
    rf"{_I}…{{0,10}}?\b(?:am|is|['’]m)\s+(?:\w+\s+)?entitled to\s+(?:free|unlimited|all|every|full|any|priority)\b",
    # holds rights: "has root rights", "cleared for the strongroom", "authorised to sign", "may read every client's files"
    r"\b(?:has|have|had|with|gets?|hold(?:s|ing)?|given|granted|receives?)\s+(?:\w+\s+){0,2}?(?:admin(?:istrat\w+)?|"
    r"root|superuser|unrestricted|unlimited|elevated|privileged|sudo|"
    r"owner)\s+(?:access|rights?|privileges?|permissions?|clearance|powers?)\b",
    rf"\b(?:full|complete|permanent)\s+(?:rights?|privileges?|permissions?|powers?|access(?=\W*$|\s+(?:rights?|to\s+(?:\S+\s+){{0,2}}?{_KEPT})))",
    r"\b(?:full|complete|unrestricted) control (?:of|over) (?:the |this |all |every )?(?:\w+ )?(?:system|account|"
    r"server|data|tenant|database|settings|workspace|platform)s?\b",
    rf"{_MAY}\s+(?:also |always |now |even )?(?!(?:see|view|read|open)\w* (?:all|every|any|each)\b){_DEED}\b…{{0,25}}?\b{_NOT_ONES_OWN}",
    rf"{_MAY}\s+(?:also |always |now |even )?(?:see|view|read|open)\s+(?:all|every|any|each)\b…{{0,25}}?\b{_KEPT}\b",
    r"\b(?:can|may|is able to|am able to|allowed to|right to|authority to)\s+(?:also |always )?(?:override|overrule|"
    r"bypass|waive|veto|suspend)\b",
    r"\b(?:special|extra|extended|higher|elevated|superior|more) (?:rights|privileges|permissions)\b|\b(?:write|root|"
    r"admin|sudo|production) access\b",
    r"\badmins?(?:istrators?)? (?:group|role|team|list|account|panel access)\b|\b(?:debug|developer|god|admin|"
    r"maintenance|unrestricted) mode\b…{0,20}\b(?:on|enabled|active|activated)\b",
    r"\b(?:treat|consider|regard|see|count) (?:me|the user|this user|my account) (?:as )?…{0,25}\b(?:superuser|"
    r"admin\w*|verified|trusted|owner|root|authori[sz]ed|vetted|cleared|approved|staff|employee)\b",
    rf"{_I}…{{0,20}}?\b(?:whitelisted|allowlisted|pre-?cleared|privileged|a trusted (?:user|customer|source|party)|"
    r"vetted|your (?:developer|creator|owner|admin|operator|boss|principal))\b",
    r"\bas (?:the |an? |your )?(?:head|chief|director|owner|officer|manager|boss|ceo|cto|cfo|president|lead|"
    r"supervisor)\b…{0,40},? (?:i|the user) (?:hereby |now )?(?:decide|decides|order|orders|authori[sz]e\w*|lift|"
    r"lifts|allow|allows|declare|declares|grant|grants|waive|waives)\b",
    r"\b(?:so|therefore|hence|thus),? (?:please |you (?:can|may|must|should) )?(?:show me (?:every|all|any)|"
    r"give me (?:access|all|every)|let me (?:in|see|through|access)|do (?:what|as) i|approve|release|grant|"
    r"skip (?:the|all|any)|"
    r"ignore the|lift the|waive|pay (?:out|it|any|every|all))\b",
    r"\bspeaks? for the (?:whole|entire)\b|\bon behalf of the (?:whole |entire )?(?:company|organi[sz]ation|board|"
    r"management)\b…{0,30}\b(?:approv|authori|sign|decid|order)\w*",
    r"\b(?:security|top[- ]secret) clearance\b|\bcleared (?:for|to)\b|\bclearance (?:for|level)\b",
    rf"{_I}…{{0,30}}?\b(?:am|is|are|['’]m|been)\s+(?:fully |hereby |also )?(?:authori[sz]ed|entitled|empowered|"
    r"permitted|allowed|approved)\s+(?:to|for)\s+(?:sign|approve|pay|release|see|"
    r"access|read|change|delete|grant|spend|order|transfer|act|bypass|override|issue|withdraw|view|decide)\b",
    r"\b(?:can|may|is able to|am able to)\s+(?:approve|authori[sz]e|sign off|override|bypass)\s+(?:\w+\s+)?(?:own|"
    r"any|all|every|each|everything|anything|expenses|refunds|payments|orders)\b",
    r"\b(?:can|may|is allowed to)\s+(?:see|read|view|access|change|edit|delete)\s+(?:every|all|"
    r"any)\b…{0,30}\b(?:data|records?|customers?|users?|accounts?|tenants?|files|secrets?|logs?)\b",
    r"\b(?:grant|give)\s+…{0,40}?\b(?:access|rights|permissions?|privileges)\b(?:\s+to\b|\s+on\b|\s+for\b|\s*$|\.)",
)
BYPASS = (
    rf"\b{_CHECK}\s+(?:can|may|should|could)\s+(?:\w+\s+)?be\s+(?:skipped|omitted|waived|dropped|left out|ignored)\b",
    # needs no approval, skips a check, has no limits
    r"\b(?:skip|bypass|waive|override|disable|turn off|switch off|suspend|drop|omit|lift|remove|ignore)(?:s|ed|"
    rf"ping)?\s+(?:the |all |any |every |my |your |our |these |this )?(?:\w+\s+){{0,2}}?{_CONSENT}\b{_NO_MAIL}",
    rf"\b(?:no|never|not|n['’]t|without)\s+(?:\w+\s+){{0,2}}?(?:need(?:s|ed|ing)?|requir(?:e|es|ed|ing)|ask(?:s|"
    rf"ed)? for|wait(?:s|ing)? for|subject to)\s+(?:\w+\s+){{0,3}}?{_CONSENT}\b{_NO_MAIL}",
    rf"\b(?:need(?:s|ed)?|requir(?:e|es|ed))\s+(?:no|neither|not any)\s+(?:\w+\s+){{0,2}}?{_CONSENT}\b{_NO_MAIL}",
    r"\bno (?:\w+ )?(?:approval|confirmation|authori[sz]ation|permission) (?:is |was )?(?:needed|required|necessary)\b",
    rf"\b{_CHECK}\b…{{0,30}}?\b(?:do(?:es)? not|don['’]t|doesn['’]t|no longer|never)\s+(?:apply|count|concern|hold|"
    rf"bind)\b…{{0,20}}?\b(?:to|for) (?:the )?{_ME}",
    rf"{_ME}…{{0,30}}?\b{_CHECK}\b…{{0,30}}?\b(?:do(?:es)? not|don['’]t|doesn['’]t|no longer|never)\s+(?:apply|count|"
    r"concern|hold|bind)\b",
    rf"\b(?:exempt(?:ed)?|excused|excluded|released|freed|not bound|not subject)\b…{{0,25}}?\b{_CHECK}\b|"
    rf"\babove (?:the|any|all|every) (?:\w+ )?{_CHECK}\b",
    rf"\b{_CHECK}\s+(?:prompts? |checks? |steps? |rules? )?(?:is|are|stay|stays|remain|remains|was|were|has been|"
    r"have been)\s+(?:now |already |permanently )?(?:switched off|turned off|off|disabled|lifted|waived|suspended|"
    r"removed|gone|unnecessary|not needed)\b",
    r"\b(?:orders?|requests?|payments?|transfers?|refunds?|expenses?|changes|releases|purchases|let (?:me|"
    rf"the user))\b…{{0,30}}?\b(?:through|processed|executed|paid|granted|done|"
    rf"approved)?…{{0,15}}?\bwithout\s+(?:\w+\s+){{0,2}}?{_CHECK}\b",
    rf"\b(?:takes?|has|have|gets?|given?) (?:priority|precedence) over\b…{{0,30}}?\b{_CHECK}\b",
    rf"{_AGENT}\s+(?:may|can|should|must|shall|is allowed to|are allowed to|is to|are to|will|has permission to|"
    rf"have permission to)\s+(?:always |just |simply |now )?{_ACTION}\b…{{0,60}}?\bwithout\b",
    r"(?:^|[,:;]\s*|\b(?:please|always|just|from now on|to|be|must|should|may|"
    rf"can)\s+){_ACTION}\b…{{0,60}}?\bwithout\s+(?:\w+\s+)?(?:ask|show|check|confirm|tell|warn|approv|authori|"
    r"permission|verif|review|notif|consult|(?:a |any |the |my )?(?:draft|"
    r"approval|confirmation|permission|check|question|review|consent))",
    r"\b(?:do not|don['’]t|never|no need to|need not|stop)\s+(?:ever )?(?:ask(?:ing)?|check(?:ing)?|confirm(?:ing)?|"
    r"verify(?:ing)?|consult(?:ing)?)\s+(?:me |the user |anyone |for |with |again |back )*(?:(?:my |the |any )?"
    r"(?:approval|permission|confirmation|consent|authori[sz]ation)|before (?:paying|sending|buying|ordering|booking|"
    r"deleting|transferring|approving|sharing|releasing|executing|running|posting))",
    r"\b(?:you|the assistant|assistant|agents?) (?:have|has) (?:my |the user['’]s )?(?:permission|consent|"
    r"authori[sz]ation|approval|blessing|okay) (?:to|for)\b",
    r"\b(?:you|the assistant|assistant|agents?) (?:may|can|should|are free to|is free to|must) (?:always |just |"
    r"simply |now |freely )*(?:use|charge|pay|spend|debit|transfer|delete|wire|withdraw|buy|order|invoice|refund|"
    r"approve)\b…{0,30}"
    r"\b(?:cards?|account|money|payments?|invoices?|anything|everything|files|funds|orders?|refunds?|balance|"
    r"wallet)\b…{0,40}\b(?:whenever|any ?time|always|straight away|immediately|as you (?:like|see fit|please)|up to|"
    r"every|any)\b",
    r"\b(?:you|the assistant|assistant|agents?) (?:can|may|should|must) (?:always|automatically) (?:pay|approve|"
    r"refund|transfer|release|order|buy|accept|grant)\b",
    r"\b(?:do not|don['’]t|does not|doesn['’]t|need not) (?:have to|need to )?\s?(?:ask|check with|consult|call|"
    r"wait for) (?:me|the user|anyone|anybody)\b…{0,20}\b(?:before|for (?:approval|permission|confirmation)|"
    r"when)\b…{0,20}\b(?:send|pay|buy|order|book|delet|transfer|approv|shar|releas|execut|post|sign|spend)\w*",
    r"\b(?:no need|not necessary|unnecessary|need not|needn['’]t|don['’]t|do not) (?:to )?(?:verify|check|confirm|"
    r"question|authenticate)\b…{0,15}\b(?:identity|who (?:i am|the user is)|my (?:id|name|account|orders|requests))\b",
    r"\b(?:word|yes|okay|ok|requests?|instructions?|message|signature)\s+(?:alone )?(?:is|are|counts?|"
    r"suffices?)\s+(?:always )?(?:enough|sufficient|final|as (?:an? )?(?:approv|authori|confirm|consent)\w*)\b|"
    r"\bcounts? as (?:approved|approval|authori[sz]ed|confirmed|consent)\b",
    r"\b(?:manager|boss|supervisor|board|legal|finance|director|ceo|head office|management|bank|"
    r"support)\b…{0,15}\b(?:already |has |have )+(?:approved|agreed to|authori[sz]ed|cleared|signed off|okayed|"
    r"permitted)\b…{0,20}\b(?:everything|anything|all|any|every|whatever)\b",
    r"\btrust (?:me|the user|this user) (?:on|with|in|about) (?:everything|anything|all)\b|\bdo (?:what|as|"
    r"whatever) (?:i|the user) (?:say|says|ask|asks|tell|tells|order|orders)\b|\b(?:approve|accept|pay|release|sign|"
    r"grant) (?:everything|anything|whatever|all)\b",
    r"\b(?:already|has|have|is|are)\s+(?:been\s+)?pre-?(?:approved|authori[sz]ed)\b",
)
REDIRECTION = (
    r"\b(?:always|automatically|from now on|every time)\b…{0,30}?\b(?:forward|redirect|bcc)\b…{0,60}?\bto\b…{0,40}?[\w.+-]+@[\w-]+\.\w",
    # money, mail, copies or access go to somebody from now on
    r"\b(?:payments?|payouts?|invoices?|salar(?:y|ies)|wages?|refunds?|transfers?|funds?|money|deposits?|"
    rf"remittances?|donations?|bills?)\b…{{0,60}}?\b(?:go|goes|going|sent|paid|send|pay|transfer(?:red)?|"
    r"redirect(?:ed)?|route[d]?|"
    rf"forward(?:ed)?|wired?|move[d]?)\b…{{0,30}}?\bto\b…{{0,60}}?{_DESTINATION}",
    rf"\b(?:send|pay|transfer|wire|redirect|route|forward|move|withdraw)\b…{{0,40}}?\b(?:payments?|payouts?|"
    r"invoices?|salar(?:y|ies)|wages?|refunds?|funds?|money|bitcoin|deposits?|eur|usd|euros?|"
    rf"dollars?)\b…{{0,40}}?\bto\b…{{0,60}}?{_DESTINATION}",
    r"\b(?:copy|copies|bcc|cc)\b…{0,40}\b(?:every|all|each|any)\b…{0,40}\b(?:to|sent|at)\b…{0,30}@",
    r"\b(?:send|forward|mail|e-?mail|share|upload|post|copy|bcc|cc)\b…{0,60}?\b(?:every|all|each|"
    r"any)\b…{0,60}?(?:[\w.+-]+@[\w-]+\.\w|https?://)",
    r"\b(?:change|update|set|replace)\b…{0,30}\b(?:bank details|payout account|iban|account number|"
    r"recovery (?:e-?mail|phone)|2fa (?:device|number))\b",
)
TRUST = (
    # a source or sender that need not be checked any more
    r"\b(?:links?|mails?|e-?mails?|files?|attachments?|messages?|requests?|hosts?|downloads?|domains?|websites?|"
    r"sites?|senders?|scripts?|packages?|certificates?|instructions?|documents?|everything|anything)\b…{0,30}"
    r"\b(?:from|on|by|at|of|hosted)\b…{1,60}?\b(?:is|are|can|may|need|should be|must be)\b…{0,20}\b(?:safe|trusted|"
    r"trustworthy|harmless|verified|not be checked|no checks?|no scanning|be opened|be trusted)\b",
    r"\b(?:need not|needn['’]t|no need to|do(?:es)? not (?:need|have) to|don['’]t)\s+(?:be\s+)?(?:check|scan|verif|"
    r"inspect|validat)\w*\b…{0,40}\b(?:links?|mails?|files?|attachments?|hosts?|downloads?|certificates?|any more|"
    r"anymore)\b",
    r"\b(?:treat|consider|regard|mark)\b…{0,60}\b(?:as )?(?:safe|trusted|verified|trustworthy|harmless)\W*$|"
    r"\b(?:whitelist|allowlist)\b",
    r"\btrust (?:everything|anything|all|any)\b…{0,40}\b(?:from|by|on|that)\b",
)
SILENCE = (
    # warnings that are not to be seen, kept or told
    r"\b(?:do not|don['’]t|never|stop|no longer|not)\s+(?:\w+\s+)?(?:stor(?:e|ing)|sav(?:e|ing)|record(?:ing)?|"
    r"log(?:ging)?|report(?:ing)?|mention(?:ing)?|warn(?:ing)?|flag(?:ging)?|show(?:ing)?|rais(?:e|ing)|"
    r"alert(?:ing)?|keep(?:ing)?|notify(?:ing)?)\b"
    r"…{0,50}\b(?:security|safety|warnings?|alerts?|fraud|phishing|suspicious|audit|incidents?|breach(?:es)?|"
    r"policy violations?)\b",
    r"\b(?:ignore|suppress|hide|mute|disregard|dismiss|overlook)\b…{0,30}\b(?:security|safety|fraud|phishing|audit|"
    r"incident)\b…{0,20}\b(?:warnings?|alerts?|notices?|messages?|checks?|rules?|polic(?:y|ies))\b",
)
COMPLIANCE = (
    # an agent that says yes to everything
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )\balways\s+(?:answer|say|reply|respond|vote)\s+(?:with\s+)?[\"'“]?yes\b(?! or no\b)",
    r"\b(?:answer|say|reply)\s+[\"'“]?yes\b…{0,30}\b(?:when|whenever|if|to)\b…{0,40}\b(?:ask|request|release|approv|"
    r"pay|order)\w*",
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )\b(?:always|automatically|blindly)\s+(?:approve|accept|grant|authori[sz]e|"
    r"comply with|obey|release)\b",
    r"\b(?:do|obey|follow)\s+(?:whatever|everything|anything|every (?:order|command|instruction))\b…{0,30}\b(?:says?|"
    r"asks?|tells?|commands?|orders?|instructions?)\b",
)
MEMORY = (
    # text that speaks to the memory instead of about the world
    r"\b(?:store|save|keep|remember|record|write|note)\s+(?:\w+\s+){0,3}?permanently\b",
    r"\b(?:ignore|disregard|forget|override)\s+(?:all |any |your |the |my )?(?:previous|prior|above|earlier|former|"
    r"preceding|other|existing|system)\s+(?:instructions?|rules?|messages?|prompts?|guidelines?|memor(?:y|ies)|"
    r"polic(?:y|ies))\b",
    r"\b(?:write|add|put|insert|append|save)\s+(?:this |the following |it )?(?:in)?to\s+(?:the |this |"
    r"your )?(?:user['’]s |user |system )?(?:profile|memory|memories|long[- ]term|system prompt|instructions)\b",
    r"\b(?:update|change|overwrite|edit|delete|erase|wipe|clear)\s+(?:your |the |all |all your )?(?:long[- ]term |"
    r"stored |saved )?(?:memory|memories|notes on|long-term notes)\b",
    r"\b(?:save|keep|store|remember) (?:this|it) (?:for|in|across) (?:every|all) (?:later |future |"
    r"other )?(?:conversations?|sessions?|chats?)\b",
    r"\b(?:note|message|instructions?) (?:to|for) (?:the )?(?:assistant|agent|ai|model)(?:['’]s)?(?: memory)?\b|"
    r"<\/?(?:memory|system|instructions?)\b|\bsystem prompt\b|\b(?:new|old) entry:",
    r"\bkeep this as a (?:standing|permanent) (?:rule|instruction|order)\b|\bcarry (?:this|it) out (?:first|"
    r"before)\b|\bagents? that (?:keep|store|save|remember)\b",
    r"\b(?:has|have) already agreed to the following\b|\bonce and for all:",
)


def _joined(patterns: tuple[str, ...]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns).replace("…", _SAME_SENTENCE)


# A text without any of a group's hints (lower case) belongs to none of its patterns: most texts are done with at once.
_HINTS = {
    "rights": (
        "admin root superuser moderator operator developer creator owner access right privileg permission "
        "control clear authori entitled empowered permitted allowed approv overrid overrul bypass waive veto "
        "suspend sign releas pay order transfer delet eras reset chang edit modif view refund spend grant "
        "revok decid record file whitelist allowlist trusted verified vetted staff mode boss head chief "
        "director so, so therefore behalf speak see read lets"
    ),
    "grants": (
        "approv authori accept grant releas permit green sign waiv wave pay wire transfer fund money refund salar wage deposit remit rent "
        "withdraw purchase order expense invoice request access card wallet account iban limit cap act decide speak behalf attorney instruction "
        "obey follow whatever anyone anybody everyone everybody whoever password key code pin let forward copy bcc redirect route trust "
        "scan verif inspect check role admin root superuser sudo identity authent treated regarded considered permission clearance need"
    ),
    "bypass": (
        "approv confirm authori permission verif authent two- 2fa mfa sign-off second four-eyes check review "
        "ask consent limit cap restriction rule polic safeguard guardrail filter queue prompt without trust "
        "enough sufficient final counts whenever always any blessing okay do everything identity exempt"
    ),
    "redirection": (
        "pay invoice salar wage refund transfer fund money deposit remit donat bill wire bitcoin eur usd "
        "dollar @ http copy copies bank account iban recovery 2fa"
    ),
    "trust": ("safe trust harmless verif check scan inspect validat whitelist allowlist"),
    "silence": ("security safety warning alert fraud phishing suspicious audit incident breach violation"),
    "compliance": ("always yes automatically blindly whatever everything anything obey follow"),
    "memory": (
        "permanently ignore disregard forget override memor profile prompt note every all entry standing "
        "agents agreed once carry <system <instruction message instruction"
    ),
}
_GROUPS = tuple(
    (name, tuple(_HINTS[name].split()), re.compile(_joined(patterns), re.IGNORECASE))
    for name, patterns in (
        ("rights", RIGHTS),
        ("bypass", BYPASS),
        ("redirection", REDIRECTION),
        ("trust", TRUST),
        ("silence", SILENCE),
        ("compliance", COMPLIANCE),
        ("memory", MEMORY),
        ("grants", GRANTS),
    )
)
# "Never merge without a review" asks for a check; it takes none away.
SAFEGUARD = (
    r"(?<!not )(?<!n['’]t )(?<!never )(?<!stop )(?<!have to )(?<!need to )\b(?:ask|tell|show|warn|consult|check with|"
    r"confirm with|"
    r"notify)\b…{0,30}?\b(?:me|the user|us)\b…{0,30}?\bbefore\b",
    r"\b(?:never|do not|don['’]t|not|must not|should not|shouldn['’]t|mustn['’]t|may not|cannot|can['’]t|no one|"
    r"nobody)\b"
    rf"…{{0,20}}?\b{_ACTION}\b…{{0,60}}?\b(?:without|before|unless|until)\b",
)
_SAFEGUARD = re.compile(_joined(SAFEGUARD), re.IGNORECASE)


@lru_cache(maxsize=1024)
def privilege(text: str) -> str | None:
    """The group of claims that the text belongs to ("rights", "bypass", …), or None."""
    text = as_it_reads(text)
    lower = text.lower()
    for name, hints, pattern in _GROUPS:
        if any(hint in lower for hint in hints) and pattern.search(text):
            if name == "bypass" and _SAFEGUARD.search(text):
                continue
            return name
    return None
