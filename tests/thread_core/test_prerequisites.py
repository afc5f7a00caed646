import time

import pytest

from thread_core.prerequisites import (
    Judgement,
    Known,
    Policy,
    Range,
    Verdict,
    admit,
    decidable,
    first_unmet,
    gate_of,
    is_gate,
    judge,
    judge_all,
    version_range,
)

MET, NOT_MET, ASK = Verdict.MET, Verdict.NOT_MET, Verdict.ASK


def said(*texts: str) -> Known:
    return Known(said=texts)


def confirmed(*texts: str) -> Known:
    return Known(confirmed=texts)


def denied(*texts: str) -> Known:
    return Known(denied=texts)


@pytest.mark.parametrize(
    ("prerequisite", "known", "verdict"),
    [
        # versions
        ("OCP 4.16 and later", said("My OCP 4.17 cluster hangs."), MET),
        ("OCP 4.16 and later", said("We run OCP v4.16.3."), MET),
        ("OCP 4.16 and later", said("Our 4.14 cluster is slow."), NOT_MET),
        ("OCP 4.16 and later", said("The cluster is slow."), ASK),
        ("OCP 4.16 and later", said("We run Agent 4.14."), ASK),
        ("OCP 4.16 and later", said("Only 1.5 GB are free, at 3.7 %."), ASK),
        ("OCP 4.16 and later", said("See error 404.3 and step 2.1."), ASK),
        ("OCP 4.16 and later", said("We are not on OCP 4.16 yet."), ASK),
        ("OCP 4.16 and later", said("We are not on OCP 4.16, we have OCP 4.14."), NOT_MET),
        ("OCP 4.16 and later", said("It was OCP 4.14.", "Now it is OCP 4.16."), MET),
        ("Before OCP 4.16", said("OCP 4.16"), NOT_MET),
        ("Before OCP 4.16", said("OCP 4.15.30"), MET),
        ("From an agent before 2.3", said("The agent version is 2.1"), MET),
        ("From an agent before 2.3", said("agent 2.3"), NOT_MET),
        ("Agent 2.3 or newer must be installed.", said("agent 2.2"), NOT_MET),
        ("4.14 to 4.16", said("We run 4.15."), MET),
        ("4.14 to 4.16", said("We run 4.16.9."), MET),
        ("4.14 to 4.16", said("We run 4.17."), NOT_MET),
        ("After 4.16", said("We run 4.16.2."), NOT_MET),
        ("After 4.16", said("We run 4.17."), MET),
        ("Version 2", said("We have version 1."), NOT_MET),
        ("Version 2", said("We have v2."), MET),
        ("Version 2", said("We have 1 printer."), ASK),
        ("Version 2", said("It is agent v1."), ASK),
        ("Up to version 3", said("It says v3.2."), MET),
        ("Up to version 3", confirmed("Version 2"), MET),
        ("Till 3 and later", said("The till has version 2."), NOT_MET),
        ("Till 3 and later", said("The printer has version 2."), ASK),
        # versions as they are said
        ("OCP 4.16 and later", said("This cluster is only on 4.14."), NOT_MET),
        ("OCP 4.16 and later", said("It prints 4.14.3."), NOT_MET),
        ("OCP 4.16 and later", said("`oc version` says 4.17"), MET),
        ("OCP 4.16 and later", said("We are below 4.16."), NOT_MET),
        ("OCP 4.16 and later", said("We have OCP 4.16 or newer."), MET),
        ("OCP 4.16 and later", said("We have OCP 4.15 or newer."), ASK),
        ("OCP 4.16 and later", said("It came with the upgrade from 4.12 to 4.17."), MET),
        ("OCP 4.16 and later", said("Not yet on 4.16."), ASK),
        ("OCP 4.16 and later", said("It worked before 4.16."), ASK),
        ("OCP 4.16 and later", said("10.0.3.4 does not answer."), ASK),
        ("OCP 4.16.3 and later", said("We run OCP 4.16."), ASK),
        ("At least 3 nodes are ready.", said("It is a 4.14 cluster."), ASK),
        # products
        ("Office 2013", said("I have Office 2013."), MET),
        ("Office 2013:", said("I have Office 2016."), NOT_MET),
        ("Office 2013", said("Excel stops."), ASK),
        ("Windows 11", said("I use Windows 10."), NOT_MET),
        ("Windows 11", said("I use Windows."), ASK),
        ("Windows 11", said("I have a Mac."), NOT_MET),
        # platforms
        ("Windows", said("windows 11 here"), MET),
        ("Windows", said("It does not print on Windows."), MET),
        ("Windows", said("I have a MacBook."), NOT_MET),
        ("Windows", said("I do not use Windows."), NOT_MET),
        ("Windows", said("I don’t have Windows."), NOT_MET),
        ("Windows", said("It stops."), ASK),
        ("macOS", said("on a Mac"), MET),
        ("Linux and macOS", said("Ubuntu"), MET),
        ("Linux and macOS", said("Windows"), NOT_MET),
        ("On the web", said("in the web app"), MET),
        ("64-bit Office", said("an x64 machine"), MET),
        ("64-bit Office", said("an x86 machine"), NOT_MET),
        ("Windows", said("I had Windows.", "Now I have a Mac."), NOT_MET),
        ("Windows (64-bit)", said("Windows"), ASK),
        ("Windows (64-bit)", said("Windows x64"), MET),
        ("Windows (64-bit)", said("32-bit Windows"), NOT_MET),
        ("Windows (64-bit)", said("x64 Linux"), NOT_MET),
        ("Linux (Debian)", said("Debian 12"), MET),
        ("Linux (Debian)", said("Ubuntu"), ASK),
        ("Linux (Debian)", said("Linux"), ASK),
        ("Windows or Ubuntu", said("Windows"), MET),
        ("Ubuntu 22.04 LTS", said("Ubuntu 20.04"), NOT_MET),
        ("Ubuntu 22.04 LTS", said("a Mac"), NOT_MET),
        ("macOS 13 (Ventura)", said("macOS 13.2"), MET),
        ("macOS 13 (Ventura)", said("macOS 12"), NOT_MET),
        ("Windows 10/11", said("Windows 11"), MET),
        ("Windows 10, Windows 8.1, and Windows 8", said("Windows 8.1"), MET),
        ("Windows 10, Windows 8.1, and Windows 8", said("Windows 7"), NOT_MET),
        ("3. Windows", said("Windows"), MET),
        ("Method 1 (Windows)", said("a Mac"), NOT_MET),
        # roles
        ("For administrators", said("I am an admin."), MET),
        ("Admins only", said("I'm not an administrator."), NOT_MET),
        ("For workspace owners only", said("As the owner I cannot open it."), MET),
        ("For administrators", said("I asked our administrator."), ASK),
        ("For administrators", said("I am a manager."), ASK),
        ("Admins only", said("I am a member."), NOT_MET),
        ("Admins only", said("I am not a member."), ASK),
        ("Administrators only", confirmed("For admins"), MET),
        ("Administrators only", denied("For admins"), NOT_MET),
        ("Close all windows first.", said("I have a Mac."), ASK),
        ("You know the MAC address.", said("I use Windows."), ASK),
        # earlier steps
        ("You have completed the port test.", Known(done=("Service: Test the port: port test",)), MET),
        ("After you have run the health check", Known(done=("Service: run the health check",)), MET),
        ("You have completed the port test.", Known(done=("Service: health check",)), ASK),
        ("Windows", Known(done=("Printer: Windows: Method 1",)), ASK),
        ("Before OCP 4.16", Known(done=("Agent: OCP 4.16 and later: ping",)), ASK),
        # a person's words
        ("You hold the role db-operator.", said("I hold the role db-operator."), MET),
        ("You hold the role db-operator.", said("I don't hold the role db-operator."), NOT_MET),
        ("You hold the role db-operator.", said("I haven’t the role db-operator to hold."), NOT_MET),
        ("You hold the role db-operator.", said("How do I fail over?"), ASK),
        ("Nobody else works on the cluster.", said("Somebody works on the cluster."), ASK),
        # contradiction
        ("OCP 4.16 and later", confirmed("OCP 4.16 and later"), MET),
        ("OCP 4.16 and later", denied("OCP 4.16 and later"), NOT_MET),
        ("Before OCP 4.16", confirmed("OCP 4.16 and later"), NOT_MET),
        ("Before OCP 4.16", denied("OCP 4.16 and later"), MET),
        ("OCP 4.16 and later", confirmed("Before OCP 4.16"), NOT_MET),
        ("OCP 4.16 and later", denied("Before OCP 4.16"), MET),
        ("OCP 4.14 and later", confirmed("OCP 4.16 and later"), MET),
        ("OCP 4.16 and later", denied("OCP 4.14 and later"), NOT_MET),
        ("OCP 4.16 and later", confirmed("OCP 4.14 and later"), ASK),
        ("OCP 4.15 and earlier", denied("After OCP 4.15"), MET),
        ("Before OCP 4.16", confirmed("Agent 4.16 and later"), ASK),
        ("Office 2013", confirmed("Office 2016"), NOT_MET),
        ("Office 2013", denied("Office 2016"), ASK),
        ("macOS", confirmed("Windows"), NOT_MET),
        ("macOS", denied("Windows"), ASK),
    ],
)
def test_a_prerequisite_is_met_or_not_or_asked_for(prerequisite: str, known: Known, verdict: Verdict) -> None:
    assert judge(prerequisite, known).verdict is verdict


@pytest.mark.parametrize(
    ("prerequisite", "known", "judgement"),
    [
        (
            "OCP 4.16 and later",
            said("OCP 4.14"),
            Judgement(verdict=NOT_MET, reason="you said: ocp 4.14"),
        ),
        (
            "Before OCP 4.16",
            confirmed("OCP 4.16 and later"),
            Judgement(verdict=NOT_MET, reason="you confirmed: OCP 4.16 and later"),
        ),
        ("macOS", said("on Windows"), Judgement(verdict=NOT_MET, reason="you said: windows")),
        (
            "The role\n`op`.",
            Known(),
            Judgement(
                verdict=ASK,
                reason="nothing said so far decides it",
                question="Before this step: does this hold for you? The role `op`",
            ),
        ),
    ],
)
def test_an_answer_has_its_reason_and_its_question(prerequisite: str, known: Known, judgement: Judgement) -> None:
    assert judge(prerequisite, known) == judgement


class TestManyPrerequisites:
    def test_one_that_is_not_met_decides(self) -> None:
        judgement = judge_all(["The role op.", "Windows"], said("on a Mac"))
        assert judgement == Judgement(verdict=NOT_MET, reason="you said: macos")

    def test_then_the_first_one_to_ask(self) -> None:
        judgement = judge_all(["macOS", "The role op.", "A window."], said("on a Mac"))
        assert (judgement.verdict, judgement.question) == (ASK, "Before this step: does this hold for you? The role op")

    def test_none_is_met(self) -> None:
        assert judge_all([], Known()) == Judgement(verdict=MET, reason="nothing stands against it")

    def test_the_first_that_is_not_met_is_named(self) -> None:
        prerequisites = ["macOS", "Windows", "Linux"]
        assert first_unmet(prerequisites, said("on a Mac")) == "Windows"
        assert first_unmet(prerequisites, Known()) is None

    @pytest.mark.parametrize(
        ("policy", "stays", "asks"), [(Policy.KEEP, True, False), (Policy.ASK, True, True), (Policy.DROP, False, True)]
    )
    def test_a_policy_says_what_becomes_of_the_undecided(self, policy: Policy, stays: bool, asks: bool) -> None:
        admitted, judgement = admit(["The role op."], Known(), policy)
        assert (admitted, bool(judgement.question)) == (stays, asks)

    @pytest.mark.parametrize("policy", list(Policy))
    def test_no_policy_keeps_what_is_not_met_or_drops_what_is(self, policy: Policy) -> None:
        assert not admit(["Windows"], said("on a Mac"), policy)[0]
        assert admit(["macOS"], said("on a Mac"), policy)[0]


@pytest.mark.parametrize(
    ("phrase", "versions"),
    [
        ("Agent 2.3 and later", Range("agent", low=(2, 3))),
        ("OpenShift 4.10 or newer", Range("openshift", low=(4, 10))),
        ("version 4.14+", Range("", low=(4, 14))),
        ("At least Java 11", Range("java", low=(11,))),
        ("Kubernetes >= 1.25", Range("kubernetes", low=(1, 25))),
        ("Access 2007 and later versions", Range("access", low=(2007,))),
        ("If you use OCP 4.16 or later, run it.", Range("ocp", low=(4, 16))),
        ("4.15 and earlier", Range("", high=(4, 15))),
        ("up to and including 4.15", Range("", high=(4, 15))),
        ("Before OCP 4.16", Range("ocp", high=(4, 16), with_high=False)),
        ("an agent before 2.3", Range("agent", high=(2, 3), with_high=False)),
        ("prior to version 3", Range("", high=(3,), with_high=False)),
        ("newer than 4.16", Range("", low=(4, 16), with_low=False)),
        ("Windows 10, Windows 8.1, and Windows 8", Range("windows", (8,), (10,))),
        ("Java 11 or 17", Range("java", (11,), (17,))),
        ("OCP 4.14 through 4.16", Range("ocp", (4, 14), (4, 16))),
        ("from 4.14 to 4.16", Range("", (4, 14), (4, 16))),
        ("Windows 10 and Windows 11", Range("windows", (10,), (11,))),
        ("Office 2013", Range("office", (2013,), (2013,))),
        ("v4.5.x", Range("", (4, 5), (4, 5))),
        ("Step 2 and 3", None),
        ("error 404", None),
        ("1.5 GB of free space", None),
        ("You hold the role db-operator", None),
        ("", None),
        ("from 4.16 to 4.14", None),
    ],
)
def test_a_phrase_admits_versions(phrase: str, versions: Range | None) -> None:
    assert version_range(phrase) == versions


@pytest.mark.parametrize(
    ("one", "other", "apart", "within"),
    [
        (Range("", low=(4, 16)), Range("", high=(4, 16), with_high=False), True, False),
        (Range("", low=(4, 16)), Range("", high=(4, 16)), False, False),
        (Range("", low=(4, 16), with_low=False), Range("", high=(4, 16)), True, False),
        (Range("", low=(4, 16)), Range("", low=(4, 14)), False, True),
        (Range("", low=(4, 16)), Range("", low=(4, 16), with_low=False), False, False),
        (Range("", high=(4, 14)), Range("", high=(4, 16)), False, True),
        (Range("", (4, 14), (4, 15)), Range("", low=(4, 14)), False, True),
        (Range("", (4, 14), (4, 14)), Range("", (4, 15), (4, 15)), True, False),
        (Range(""), Range(""), False, True),
    ],
)
def test_ranges_exclude_or_hold_each_other(one: Range, other: Range, apart: bool, within: bool) -> None:
    assert (one.apart(other), other.apart(one), one.within(other)) == (apart, apart, within)


@pytest.mark.parametrize(
    "heading",
    [
        "OCP 4.16 and later",
        "#### Before OCP 4.16:".strip("# "),
        "From Agent 2.3 and later",
        "From an agent before 2.3",
        "In OCP 4.16 or newer",
        "Red Hat OpenShift Container Platform 4.12 and later",
        "Kubernetes >= 1.25",
        "Office 2013:",
        "**Office 2013:**",
        "Access 2007 and later versions",
        "Microsoft 365",
        "Windows",
        "On Windows",
        "For Windows 11 users",
        "Linux only",
        "For Mac users",
        "macOS 14 and later",
        "iOS and Android",
        "Outlook for Mac",
        "Outlook 2016 for Mac",
        "On the web",
        "64-bit",
        "64-bit Windows",
        "Windows PC",
        "Using a Mac",
        "If you are on Windows",
        "If you have a Mac",
        "If you're using Windows",
        "Android phones and tablets",
        "Ubuntu 22.04 LTS",
        "Red Hat Enterprise Linux 8",
        "Windows 10, Windows 8.1, and Windows 8",
        "Office 2010, 2013 and 2016",
        "Any OCP 4.18 or greater cluster",
        "Version 2",
        "v2",
        "Up to version 3",
        "Admins only",
        "For workspace owners",
    ],
)
def test_a_heading_is_a_gate(heading: str) -> None:
    assert is_gate(heading)
    assert decidable(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "",
        "Mitigation",
        "Method 1",
        "Step 2",
        "2.1 Journal",
        "Cause 1: the disk",
        "Day 2",
        "Table 3",
        "Error 404",
        "HTTP 500",
        "Event ID 1001",
        "KB 3200416",
        "Windows Firewall",
        "Upgrade to Windows 11",
        "Install Python 3.11 or later",
        "Reports of node 3",
        "If the endpoint returns 401/403",
        "Older versions",
        "Use Windows 11",
        "Windows XP explained",
        "Problem 1",
        "Valve 3",
        "Room 4.2",
        "Floor 3",
        "Form 1040",
        "RFC 2119",
        "ISO 9001",
        "March 2024",
        "Newer than 3",
        "Administrators",
        "For example",
        "Option 1: Restart",
        "Windows (the kind of glass)",
        "Turn on Windows",
        "Log on Windows",
        "Print on both sides",
        "Dependencies on Windows Installer",
        "The role op is held by the person who reads this on Windows",
        "x" * 100_000,
        "1" * 100_000,
    ],
)
def test_a_heading_is_no_gate(heading: str) -> None:
    assert not is_gate(heading)


@pytest.mark.parametrize(
    ("heading", "gate"),
    [
        ("3. Windows", "Windows"),
        ("2.1 Windows", "Windows"),
        ("Option 1: Windows", "Windows"),
        ("Method 1 (Windows)", "Windows"),
        ("Step 2: OCP 4.16 and later", "OCP 4.16 and later"),
        ("macOS 13 (Ventura)", "macOS 13"),
        ("Linux (Debian)", "Linux (Debian)"),
        ("Clear the list (Till 4.2 only)", "Till 4.2 only"),
        ("4.16 and later", "4.16 and later"),
        ("Install the reader on a Mac", "on a Mac"),
        ("Step 2: Update it on OCP 4.16 and later", "on OCP 4.16 and later"),
        ("Restart", ""),
    ],
)
def test_a_gate_is_parted_from_what_stands_beside_it(heading: str, gate: str) -> None:
    assert gate_of(heading) == gate


def test_a_question_names_the_gate_alone() -> None:
    assert judge("Method 1 (Windows)", Known()).question == "Before this step: does this hold for you? Windows"


@pytest.mark.parametrize(
    "piece", ["a", "1", "1.", "a ", "Windows ", "not ", "a1 ", "Windows 1 ", "from 1 ", "v1, ", "(a", "\ud800"]
)
def test_no_text_takes_long(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    started = time.process_time()
    judge(text, said("We run OCP 4.16 on Windows."))
    judge("OCP 4.16 and later", said(text))
    judge("You hold the role db-operator", Known(said=(text,), done=(text,)))
    assert time.process_time() - started < 2
