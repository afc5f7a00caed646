import pytest

from thread_core.text.facts import facts, is_date, pieces


def said(text: str) -> list[str]:
    return [f"{fact.kind}: {fact.key}" for fact in facts(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 GB or 10GB", ["number: 10 gb", "number: 10 gb"]),
        ("more than 90 %, 90% or 90 percent", ["number: 90 %"] * 3),
        ("version 2.3, v2.3", ["number: 2.3", "number: 2.3"]),
        ("five minutes, 5 min (5 minutes)", ["number: 5 min"] * 3),
        ("1,000 rows", ["number: 1000"]),
        ("5-10 min", ["number: 5 min", "number: 10 min"]),
        ("HTTP 503 at 10:30 on 2026-01-01", ["number: 503", "number: 10:30", "number: 2026-01-01"]),
        ("error 0x80070005.", ["identifier: 0x80070005"]),
        ("the 1st and the 22nd of four", []),
        ("go to step 4, steps 2 and 3, section 3.2; wait 7 s", ["number: 7 s"]),
        ("pass --since=2h or -n to it", ["identifier: --since=2h", "identifier: -n"]),
        ("`max_size`, AgentSilent's node-1", ["identifier: max_size", "identifier: AgentSilent", "identifier: node-1"]),
        ("(reports.lumen.example)", ["identifier: reports.lumen.example"]),
        ("in `/var/log/x/`, C:\\temp or conf/app.yaml", ["path: /var/log/x", "path: C:\\temp", "path: conf/app.yaml"]),
        ("see https://a.example/b/.", ["URL: https://a.example/b"]),
        ("read-only and/or TCP, e.g. on the node", []),
        ("<node> and $NODE", ["identifier: <node>", "identifier: $NODE"]),
        ("", []),
    ],
)
def test_what_is_exact_is_found(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_a_fact_knows_where_it_stands() -> None:
    text = "Wait\n(10 GB) at /var."
    assert [text[fact.start : fact.start + len(fact.text)] for fact in facts(text)] == ["10 GB", "/var"]


def test_parts_of_what_is_exact_are_known() -> None:
    assert list(pieces("localhost:8443 at node-1.example, five")) == [
        *("localhost", "8443", "at", "node-1.example", "five", "5"),
    ]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        *(("2023-03-03", True), ("03.03.2023", True), ("March 1, 2023 9:00 AM", True), ("1 March 2023", True)),
        *(("03/Mar/23", True), ("Friday, Mar 3, 2023 at 10:11", True), ("2023-03-03T10:11:12Z", True)),
        *(("March", False), ("9:00 AM", False), ("Restart it on 2023-03-03", False), ("1.2.3", False), ("", False)),
    ],
)
def test_a_text_may_be_a_date(text: str, is_one: bool) -> None:
    assert is_date(text) == is_one
