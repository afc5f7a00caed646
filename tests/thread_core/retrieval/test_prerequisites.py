import time

import pytest

from thread_core.retrieval.prerequisites import (
    Judgement,
    Known,
    Policy,
    Verdict,
    admit,
    decidable,
    judge,
    judge_all,
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
        ("OCP 4.16 and later", said("Our 4.14 cluster is slow."), NOT_MET),
        ("OCP 4.16 and later", said("The cluster is slow."), ASK),
        ("OCP 4.16 and later", said("We run Agent 4.14."), ASK),
        ("OCP 4.16 and later", said("Only 1.5 GB are free, at 3.7 %."), ASK),
        ("OCP 4.16 and later", said("See error 404.3 and step 2.1."), ASK),
        ("OCP 4.16 and later", said("We are not on OCP 4.16 yet."), ASK),
        ("OCP 4.16 and later", said("We are not on OCP 4.16, we have OCP 4.14."), NOT_MET),
        ("OCP 4.16 and later", said("It was OCP 4.14.", "Now it is OCP 4.16."), MET),
        ("Before OCP 4.16", said("OCP 4.16"), NOT_MET),
        ("From an agent before 2.3", said("The agent version is 2.1"), MET),
        ("Agent 2.3 or newer must be installed.", said("agent 2.2"), NOT_MET),
        ("4.14 to 4.16", said("We run 4.16.9."), MET),
        ("4.14 to 4.16", said("We run 4.17."), NOT_MET),
        ("After 4.16", said("We run 4.16.2."), NOT_MET),
        ("Maria DB < 10.4 (older machines)", said("It is MariaDB 10.11."), NOT_MET),
        ("Rabbit MQ 3.12", said("We have Active MQ 3.11."), NOT_MET),
        ("Version 2", said("We have version 1."), NOT_MET),
        ("Version 2", said("We have 1 printer."), ASK),
        ("Version 2", said("It is agent v1."), ASK),
        ("Up to version 3", said("It says v3.2."), MET),
        ("Up to version 3", confirmed("Version 2"), MET),
        ("Till 3 and later", said("It is till version 2."), NOT_MET),
        ("Till 3 and later", said("The till has version 2."), ASK),
        ("Till 3 and later", said("The printer has version 2."), ASK),
        # what somebody has not
        ("Linux", said("We don\u2019t run Linux."), NOT_MET),
        ("Linux", said("We don't own any Linux machines."), NOT_MET),
        ("Linux", said("It is not running on Linux."), MET),
        ("Agent 2.3 and later", said("We don't run agent 2.4."), ASK),
        ("For administrators only", said("I\u2019m no administrator."), NOT_MET),
        ("For administrators only", said("I am not sure whether I am an administrator."), ASK),
        # what is no platform
        ("Linux", said("The web server does not start."), ASK),
        ("Linux", said("I use it on the web."), NOT_MET),
        ("Linux", said("The MAC table is full."), ASK),
        ("Linux", said("My Mac hangs."), NOT_MET),
        ("Linux", said("The router runs Cisco IOS."), ASK),
        # versions as they are said
        ("OCP 4.16 and later", said("This cluster is only on 4.14."), NOT_MET),
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
        ("OCP 4.16 and later", said("We run 3.11."), NOT_MET),
        # a number that is no version of the product
        ("OCP 4.16 and later", said("The load is 0.5."), ASK),
        ("OCP 4.16 and later", said("It fails over HTTP/1.1 and TLS 1.3."), ASK),
        ("4.16 and later", said("We use TLS 1.2."), ASK),
        ("1.4 and later", said("We use TLS 1.2."), ASK),
        ("TLS 1.2 or later is enabled.", said("We run 1.1."), ASK),
        ("TLS 1.2 or later is enabled.", said("It speaks TLS 1.1."), NOT_MET),
        # versions with more than numbers
        ("OCP 4.14.0 and later", said("OCP 4.14.0-rc.1"), NOT_MET),
        ("Kubernetes 1.30 and later", said("v1.29.3+k3s1"), NOT_MET),
        ("Windows 10, version 22H2", said("Windows 10 21H2"), NOT_MET),
        ("Windows 10, version 22H2", said("Windows 10"), ASK),
        ("Office 2019/2016", said("Office 2016"), MET),
        # ranges with two ends
        ("OCP between 4.12 and 4.14", said("OCP 4.13"), MET),
        ("OCP between 4.12 and 4.14", said("OCP 4.15"), NOT_MET),
        ("OCP >= 4.13, < 4.16", said("OCP 4.16"), NOT_MET),
        ("OCP >= 4.13, < 4.16", said("OCP 4.12"), NOT_MET),
        # products
        ("Office 2013", said("I have Office 2013."), MET),
        ("Office 2013:", said("I have Office 2016."), NOT_MET),
        ("Windows 11", said("I use Windows 10."), NOT_MET),
        ("Windows 11", said("I use Windows."), ASK),
        # versions of what they stand beside
        ("Gate 5.x on Windows 11 and macOS 14", said("5.2 on windows 11"), MET),
        ("Gate 5.x on Windows 11 and macOS 14", said("windows 11"), ASK),
        ("Gate 5.x on Windows 11 and macOS 14", said("windows 11", "it is 5.2"), MET),
        ("Gate 5.x on Windows 11 and macOS 14", said("5.2 on windows 10"), NOT_MET),
        ("Gate 5.x on Windows 11 and macOS 14", said("gate 4.9 on windows 11"), NOT_MET),
        ("Windows 11 and macOS 14", said("macOS 13"), NOT_MET),
        ("Windows 10 and 11", said("5.2 on windows 11"), MET),
        ("Windows 10 and 11", said("5.2 on windows"), ASK),
        ("Agent 2.3 on 64-bit Windows", said("agent 2.3"), MET),
        # platforms
        ("Windows", said("It does not print on Windows."), MET),
        ("Windows", said("I have a MacBook."), NOT_MET),
        ("Windows", said("I don’t have Windows."), NOT_MET),
        ("macOS", said("on a Mac"), MET),
        ("Linux and macOS", said("Ubuntu"), MET),
        ("On the web", said("in the web app"), MET),
        ("64-bit Office", said("an x86 machine"), NOT_MET),
        ("Windows", said("I had Windows.", "Now I have a Mac."), NOT_MET),
        ("Windows (64-bit)", said("Windows"), ASK),
        ("Windows (64-bit)", said("32-bit Windows"), NOT_MET),
        ("Windows (64-bit)", said("x64 Linux"), NOT_MET),
        ("Linux (Debian)", said("Debian 12"), MET),
        ("Linux (Debian)", said("Ubuntu"), ASK),
        ("Windows or Ubuntu", said("Windows"), MET),
        ("Ubuntu 22.04 LTS", said("Ubuntu 20.04"), NOT_MET),
        ("macOS 13 (Ventura)", said("macOS 13.2"), MET),
        ("Windows 10/11", said("Windows 11"), MET),
        ("Windows 10, Windows 8.1, and Windows 8", said("Windows 8.1"), MET),
        ("Method 1 (Windows)", said("a Mac"), NOT_MET),
        # roles
        ("For administrators", said("I am an admin."), MET),
        ("Admins only", said("I'm not an administrator."), NOT_MET),
        ("For workspace owners only", said("As the owner I cannot open it."), MET),
        ("For administrators", said("I asked our administrator."), ASK),
        ("Admins only", said("I am a member."), NOT_MET),
        ("Admins only", said("I am not a member."), ASK),
        ("Administrators only", denied("For admins"), NOT_MET),
        ("Close all windows first.", said("I have a Mac."), ASK),
        ("You know the MAC address.", said("I use Windows."), ASK),
        # earlier steps
        ("You have completed the port test.", Known(done=("Service: Test the port: port test",)), MET),
        ("You have completed the port test.", Known(done=("Service: health check",)), ASK),
        ("Windows", Known(done=("Printer: Windows: Method 1",)), ASK),
        ("Before OCP 4.16", Known(done=("Agent: OCP 4.16 and later: ping",)), ASK),
        # a person's words
        ("You hold the role db-operator.", said("I hold the role db-operator."), MET),
        ("You hold the role db-operator.", said("I don't hold the role db-operator."), NOT_MET),
        ("You hold the role db-operator.", said("I haven’t the role db-operator to hold."), NOT_MET),
        ("You hold the role db-operator.", said("How do I fail over?"), ASK),
        ("Nobody else works on the cluster.", said("Somebody works on the cluster."), ASK),
        # another language
        ("Windows", said("Ich habe kein Windows, sondern Linux."), ASK),
        ("Nicht unter Windows", said("Windows 11"), ASK),
        ("Der Schlüssel steckt im Schloss.", said("Der Schlüssel steckt nicht im Schloss."), ASK),
        ("Agent 2.3 and later", said("nicht Agent 2.4"), ASK),
        # contradiction
        ("OCP 4.16 and later", denied("OCP 4.16 and later"), NOT_MET),
        ("Before OCP 4.16", confirmed("OCP 4.16 and later"), NOT_MET),
        ("Before OCP 4.16", denied("OCP 4.16 and later"), MET),
        ("OCP 4.14 and later", confirmed("OCP 4.16 and later"), MET),
        ("OCP 4.16 and later", denied("OCP 4.14 and later"), NOT_MET),
        ("OCP 4.16 and later", confirmed("OCP 4.14 and later"), ASK),
        ("OCP 4.15 and earlier", denied("After OCP 4.15"), MET),
        ("Before OCP 4.16", confirmed("Agent 4.16 and later"), ASK),
        ("Office 2013", confirmed("Office 2016"), NOT_MET),
        ("Office 2013", denied("Office 2016"), ASK),
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
                reason="nothing that was said decides it",
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
        assert judge_all([], Known()) == Judgement(verdict=MET, reason="nothing contradicts it")

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
    "said_before",
    ["I want to unplug the pump.", "We are on Windows 11.", "I do not unplug the pump and we have no Windows."],
)
def test_a_warning_keeps_nobody_from_a_step(said_before: str) -> None:
    warning = "Warning: Never unplug the pump on Windows."
    assert judge(warning, said(said_before)).verdict is MET
    assert not decidable(warning)


def test_a_question_names_what_is_open() -> None:
    gate = "Gate 5.x on Windows 11 and macOS 14"
    asked = [judge(gate, known).question.rpartition("? ")[2] for known in (said("5.2"), said("macOS 14"), Known())]
    assert asked == ["Windows 11 or macOS 14", "Gate 5.x", gate]


def test_a_question_names_the_gate_alone() -> None:
    assert judge("Method 1 (Windows)", Known()).question == "Before this step: does this hold for you? Windows"


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["a", "1", "1.", "a ", "Windows ", "not ", "a1 ", "Windows 1 ", "from 1 ", "v1, ", "(a", "a-", "\ud800"]
)
def test_no_text_takes_long(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    started = time.process_time()
    judge(text, said("We run OCP 4.16 on Windows."))
    judge("OCP 4.16 and later", said(text))
    judge("You hold the role db-operator", Known(said=(text,), done=(text,)))
    assert time.process_time() - started < 2
