"""Guides -> what is wrong with them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from thread_core.extraction.rules import RuleExtractor
from thread_core.models import Document
from thread_core.shelf import Shelf
from thread_lint.disabling import Disable, disables
from thread_lint.findings import Finding
from thread_lint.rules import RULES, USUAL
from thread_lint.rules.rule import Found, Guide, Rule
from thread_lint.rules.runs import UNREADABLE_GUIDE, UNUSED_DISABLE


def check(guides: Shelf | Iterable[Document], rules: Sequence[Rule] = USUAL) -> list[Finding]:
    """Find what is wrong with guides.

    Args:
        guides: A shelf, such as that of a store; or documents, in which comments may disable rules.
        rules: What is looked for.

    Returns:
        The findings by document, and in each by line.

    Raises:
        ModuleNotFoundError: the grammar of shells is missing; the message names the extra.
    """
    if isinstance(guides, Shelf):
        return [found for name in guides.ids for found in check_guide(name, guides, {}, rules)]
    documents = list(guides)
    extractor = RuleExtractor()
    shelf = Shelf.of(unit for document in documents for unit in extractor.extract(document).units)
    texts = {document.id: document.text for document in documents}
    return [found for name in sorted(texts) for found in check_guide(name, shelf, texts, rules)]


def check_guide(
    document_id: str, shelf: Shelf, texts: Mapping[str, str], rules: Sequence[Rule] = USUAL
) -> list[Finding]:
    """Find what is wrong with one guide among others, by line; `texts` are those of the documents that were read."""
    guide = Guide(document_id, shelf, texts)
    found = [one for rule in rules for one in _findings(rule, guide)]
    comments = disables(texts.get(document_id, ""))
    kept = [one for one in found if not any([comment.takes(one) for comment in comments])]
    if comments and UNUSED_DISABLE in rules:
        unused = _unused(comments, rules)
        kept += [one for one in _as_findings(UNUSED_DISABLE, guide, unused) if not _is_disabled(one, comments)]
    return sorted(kept, key=lambda one: (one.first, one.rule, one.last, one.message))


def unreadable(document_id: str, reason: str) -> Finding:
    """Say of a file that it is no guide."""
    return Finding(
        rule=UNREADABLE_GUIDE.code,
        name=UNREADABLE_GUIDE.name,
        severity=UNREADABLE_GUIDE.severity,
        document_id=document_id,
        first=1,
        last=1,
        message=" ".join(reason.split()),
        fingerprint=_fingerprint(UNREADABLE_GUIDE, document_id, "", 1),
    )


def _findings(rule: Rule, guide: Guide) -> Iterator[Finding]:
    return _as_findings(rule, guide, dict.fromkeys(rule.check(guide)))


def _as_findings(rule: Rule, guide: Guide, found: Iterable[Found]) -> Iterator[Finding]:
    seen: Counter[str] = Counter()
    for one in found:
        unit = guide.holding(one.first)
        words = " ".join(guide.words(one.first, one.last).split())
        seen[words] += 1
        yield Finding(
            rule=rule.code,
            name=rule.name,
            severity=rule.severity,
            document_id=guide.document_id,
            first=one.first,
            last=one.last,
            message=one.message,
            unit_id=unit.id if unit is not None else "",
            fingerprint=_fingerprint(rule, guide.document_id, words, seen[words]),
        )


def _fingerprint(rule: Rule, document_id: str, words: str, nth: int) -> str:
    named = f"{rule.code}\n{document_id}\n{words}\n{nth}"
    return hashlib.sha256(named.encode(errors="surrogatepass")).hexdigest()[:32]


def _unused(comments: Sequence[Disable], rules: Sequence[Rule]) -> Iterator[Found]:
    """The rules that comments name for nothing; of a rule that this run does not look for, nobody knows."""
    known = {name for rule in RULES for name in (rule.code, rule.name)}
    looked_for = {name for rule in rules for name in (rule.code, rule.name)}
    for comment in comments:
        if not comment.rules:
            yield Found(comment.line, comment.line, "this comment names no rule; name one, or remove it")
        for name in dict.fromkeys(comment.rules):
            if name not in known:
                told = f"there is no rule {name[:60]}; `thread-rag lint --explain all` lists the rules"
                yield Found(comment.line, comment.line, told)
            elif name in looked_for and name not in comment.used and name not in _OWN:
                told = f"{name} finds nothing there; remove it from the comment"
                yield Found(comment.line, comment.line, told)


_OWN = (UNUSED_DISABLE.code, UNUSED_DISABLE.name)


def _is_disabled(found: Finding, comments: Sequence[Disable]) -> bool:
    return any([comment.takes(found) for comment in comments])
