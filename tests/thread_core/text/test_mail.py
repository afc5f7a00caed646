import pytest

from thread_core import Document, RuleExtractor
from thread_core.text import mail
from thread_core.text.markdown import parse

MAIL = """From: Bob Miller <bob@example.com>
To: ops@example.com,
  desk@example.com
Date: Fri, 3 Mar 2023
Subject: RE: FW: The saw hums

1. Switch it off.

Thanks,
Bob
--
Bob Miller | Net Ops
"""


def test_a_mail_is_called_by_its_subject() -> None:
    head, steps = RuleExtractor().extract(Document("a.txt", MAIL)).units
    assert (head.type.value, head.spans[0].end, head.links) == ("appendix", 5, ())
    assert (steps.title, steps.date) == ("The saw hums", "Fri, 3 Mar 2023")
    assert steps.header == "The saw hums: Switch it off"


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["From: Ann"],
        ["From: Ann", "Wait.", "Subject: The saw"],
        ["Subject: The saw", "", "From: Ann"],
        ["Name: Ann", "From: Ann", "Subject: The saw"],
    ],
)
def test_what_is_no_head_of_a_mail(lines: list[str]) -> None:
    assert mail.head(lines) == ({}, 0)


@pytest.mark.parametrize(
    ("line", "kind"), [("--", "paragraph"), ("-- ", "paragraph"), ("---", "heading"), ("==", "heading")]
)
def test_a_signature_makes_no_heading_of_the_line_above(line: str, kind: str) -> None:
    assert parse(f"Bob\n{line}\nNet Ops\n").blocks[0].kind == kind
