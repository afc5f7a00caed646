import pytest

from thread_core.conditions import (
    LONGEST_SENTENCE,
    Clause,
    Jump,
    Said,
    Sentence,
    announced,
    asks,
    clause,
    complete,
    ending,
    expects,
    goes_on,
    halves,
    heading_condition,
    is_idle,
    jump,
    label,
    purpose,
    sentences,
    wonders,
)
from thread_core.models import LinkAction


@pytest.mark.parametrize(
    ("sentence", "condition", "consequence"),
    [
        ("If the pod is not running, restart it.", "the pod is not running", "restart it."),
        ("If the pod runs then stop.", "the pod runs", "stop."),
        ("When the disk is full: free space.", "the disk is full", "free space."),
        ("Whenever the probe fails, look.", "the probe fails", "look."),
        ("Unless the pod is up, start it.", "not (the pod is up)", "start it."),
        ("In case of fence failed, do not go on.", "fence failed", "do not go on."),
        ("In the event that the node hangs, wait.", "the node hangs", "wait."),
        ("Should they stop again, read the log.", "they stop again", "read the log."),
        ("Once the node is ready, go on.", "the node is ready", "go on."),
        ("As long as the light is red, wait.", "the light is red", "wait."),
        ("Assuming the node is up, go on.", "the node is up", "go on."),
        ("However, if the alert still fires, contact support.", "the alert still fires", "contact support."),
        ("Even if the node looks fine, restart it.", "the node looks fine", "restart it."),
        ("Only when the light is on, press it.", "the light is on", "press it."),
        ("If the version is v4.16 or later, run a.sh.", "the version is v4.16 or later", "run a.sh."),
        ("If the lag is below 16 MB, go to step 3.", "the lag is below 16 MB", "go to step 3."),
        ("Otherwise, open a ticket.", "otherwise", "open a ticket."),
        ("Else restart it.", "else", "restart it."),
        ("If not, go to step 5.", "if not", "go to step 5."),
        ("If so, stop.", "if so", "stop."),
        ("If yes then stop.", "if yes", "stop."),
        ("If not go on.", "if not", "go on."),
        ("If not fixed, call.", "not fixed", "call."),
        ("If no lamp is on, call.", "no lamp is on", "call."),
        ("If red – press it.", "red", "press it."),
        ("If red; press it.", "red", "press it."),
        ("If the state is Error: Not found, select Change.", "the state is Error: Not found", "select Change."),
        ("If the state is red: wait, then press it.", "the state is red", "wait, then press it."),
        ("Or else wait.", "or else", "wait."),
        ("If this does not work you can try the key.", "this does not work", "you can try the key."),
        ("Once it is red it should stop.", "it is red", "it should stop."),
        ('If it says "Lost," press it.', 'it says "Lost"', "press it."),
        ("If it says “Lost,” or is red, press it.", "it says “Lost”, or is red", "press it."),
        ("Restart it if the pod hangs.", "the pod hangs", "Restart it"),
        ("Restart it, unless the pod is new.", "not (the pod is new)", "Restart it"),
        ("Do this only if the pod hangs.", "the pod hangs", "Do this"),
        ("Stop in case the disk is full.", "the disk is full", "Stop"),
        ("401 and 403 codes indicate a missing token.", "401 and 403 codes", "a missing token."),
        (
            "Any response other than pong indicates that the agent hangs.",
            "Any response other than pong",
            "that the agent hangs.",
        ),
        ("A line with expired means that the key is old.", "A line with expired", "that the key is old."),
        ("pod status: NOT ready -> check the probe", "pod status: NOT ready", "check the probe"),
        ("denied => ask the desk", "denied", "ask the desk"),
        ("ready → go on", "ready", "go on"),
        pytest.param(
            "If there is no route, or the route is wrong, then write it again.",
            "there is no route, or the route is wrong",
            "write it again.",
        ),
        ("As soon as it is up, go on.", "it is up", "go on."),
        ("In the menu, if it is red, stop.", "it is red", "stop."),
        ("If it is red, orange, or off, stop.", "it is red, orange, or off", "stop."),
        ("If the hose, the valve, or the pump leaks, stop.", "the hose, the valve, or the pump leaks", "stop."),
        ("If, after a minute, it is red, stop.", "after a minute, it is red", "stop."),
        ("If it is red and, after a minute, still red, stop.", "it is red and, after a minute, still red", "stop."),
        ('If "a, b" is shown, stop.', '"a, b" is shown', "stop."),
        ("If it (red, green) hums, stop.", "it (red, green) hums", "stop."),
        ("If red, the pump stops, and the lid opens.", "red", "the pump stops, and the lid opens."),
        ("Press it (if it is red).", "it is red", "Press it"),
        ("Press it if red, then wait.", "red", "Press it"),
        ("Press it in case of a red light.", "a red light", "Press it"),
        ("Note: If it is red, stop.", "it is red", "stop."),
        ("[!NOTE] If it is red, stop.", "it is red", "stop."),
        ("Tip Press it if red.", "red", "Press it"),
        ("E12 usually means that it is stuck.", "E12", "that it is stuck."),
        ("If red → stop", "red", "stop"),
        pytest.param(
            "If the disk (e.g. /var) is full, free space.",
            "the disk (e.g. /var) is full",
            "free space.",
        ),
    ],
)
def test_a_sentence_states_a_condition_and_what_follows(sentence: str, condition: str, consequence: str) -> None:
    assert clause(sentence) == Clause(condition, consequence)


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "if",
        "When",
        "Run df.",
        "This is a sentence.",
        "It depends.",
        "If it, " * 100,
        "Check if the lamp is red.",
        "Note the time when it goes out.",
        "The guide explains what to do if it is red.",
        "Look in the log to see if it is red.",
        "Go to File -> Save as",
        "In the editor, click Settings → Pump",
        "Settings → Pump → Reset",
        "On the ribbon → Reset",
        "This means that it is red.",
        "To confirm that it is red, look.",
        "Name the target that you really mean in the ticket.",
        "It answers at once where all is well.",
        "On the **Tools** menu, point to **Analyze**.",
        "To rule out a slow disk and confirm that the node is up, read the log.",
        "Before you start, confirm that the node is up.",
        "Please confirm that the node is up.",
        "Once in the menu you can press it.",
        "If the key that you can see is red press it.",
        "Code 500 does not necessarily mean that the disk is full.",
        "In the Confirm Key dialog box, select the key.",
        "Press it once a day.",
    ],
)
def test_a_sentence_without_a_condition_states_none(sentence: str) -> None:
    assert clause(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Go to step 5.", Jump(step=5)),
        ("Skip steps 4 and 5 and go to step 6.", Jump(step=6)),
        ("Skip step 2.", Jump(step=3)),
        ("Skip steps 2 and 3.", Jump(step=4)),
        ("Skip steps 2-4.", Jump(step=5)),
        ("Skip steps 4, 5 and 6.", Jump(step=7)),
        ("Skip to step 7.", Jump(step=7)),
        ("Skip step 3 if it is done and continue with step 4.", Jump(step=4)),
        ("Return to step 1.", Jump(step=1)),
        ("Repeat step 2 once.", Jump(step=2)),
        ("Proceed to Step 10.", Jump(step=10)),
        ("Start over at step 1.", Jump(step=1)),
        ("Go to Method 8.", Jump(section="Method 8")),
        ("If the job stays, continue with Method 2.", Jump(section="Method 2")),
        ("Try Option B.", Jump(section="Option B")),
        ("See Appendix A for the names.", Jump(section="Appendix A")),
        ("Follow Workaround II.", Jump(section="Workaround II")),
        ("Skip to section 5.", Jump(section="section 5")),
        ("Skip section 4 and go to section 5.", Jump(section="section 5")),
        ("Skip section 4.", None),
        ("If the error still occurs, try the next method.", Jump(following="method")),
        ("Move on to the next section.", Jump(following="section")),
        ("Follow the instructions in the section below.", Jump(following="section")),
        ("Continue with the option that follows.", Jump(following="option")),
        ("Use the following method.", None),
        ("Use one of the methods below.", None),
        ("Go to the next step.", None),
        ("Resume from step #5.", Jump(step=5)),
        ("Carry on with step 5.", Jump(step=5)),
        ("Perform steps 5 and 6 again.", Jump(step=5)),
        ("If red, see step 5.", Jump(step=5)),
        ("See step 5 if it is red.", Jump(step=5)),
        ("If red -> step 5", Jump(step=5)),
        ("See step 5 for the code.", None),
        ("Try the code that you wrote down in step 5.", None),
        ("Continue until step 5 is done.", None),
        ("After you perform step 5, wait.", None),
        ("Step 5 takes long.", None),
        ("Go on. Step 5 is next", None),
        ("Use the method of your choice.", None),
        ("Go to step 5a.", None),
        ("Go to step 1234.", None),
        ("go " * 300 + "to step 5", None),
        ("", None),
    ],
)
def test_a_sentence_sends_the_reader_to_a_step_or_a_section(sentence: str, found: Jump | None) -> None:
    assert jump(sentence) == found


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Go to the next step.", True),
        ("If it fails, proceed to next step.", True),
        ("Go on to the next step.", True),
        ("Skip ahead to the next step.", True),
        ("Skip the next step.", False),
        ("The next step takes long.", False),
        ("Go to the next step: oil it.", False),
        ("Use it in the next step.", False),
        ("go " * 300 + "to the next step", False),
        ("", False),
    ],
)
def test_a_sentence_sends_the_reader_to_the_step_after_it(sentence: str, found: bool) -> None:
    assert goes_on(sentence) == found


@pytest.mark.parametrize(
    ("sentence", "action"),
    [
        ("The issue is resolved.", LinkAction.RESOLVED),
        ("The problem has been fixed.", LinkAction.RESOLVED),
        ("You are finished.", LinkAction.RESOLVED),
        ("You're done.", LinkAction.RESOLVED),
        ("No further action is required.", LinkAction.RESOLVED),
        ("Consider the alert as a false alarm.", LinkAction.RESOLVED),
        ("This alert can safely be ignored.", LinkAction.RESOLVED),
        ("Nothing more to do.", LinkAction.RESOLVED),
        ("This is expected.", LinkAction.RESOLVED),
        ("You have fixed the problem.", LinkAction.RESOLVED),
        ("You can stop here.", LinkAction.RESOLVED),
        ("Ignore this warning.", LinkAction.RESOLVED),
        ("Close the ticket.", LinkAction.RESOLVED),
        ("That is normal.", LinkAction.RESOLVED),
        ("Close the ticket window.", None),
        ("The issue is resolved, then restart the pump.", None),
        ("Open a support case.", LinkAction.ESCALATE),
        ("Open a ticket with the platform team.", LinkAction.ESCALATE),
        ("Contact your system administrator.", LinkAction.ESCALATE),
        ("Escalate to the second line.", LinkAction.ESCALATE),
        ("Page the database lead.", LinkAction.ESCALATE),
        ("Ask the network team.", LinkAction.ESCALATE),
        ("Notify the on-call.", LinkAction.ESCALATE),
        ("Call your landlord.", LinkAction.ESCALATE),
        ("Talk to a qualified electrician.", LinkAction.ESCALATE),
        ("Contact us.", LinkAction.ESCALATE),
        ("Report this to the owner.", LinkAction.ESCALATE),
        ("Send an email to the help desk.", LinkAction.ESCALATE),
        ("Contact cleaner removes rust.", None),
        ("If the issue is not resolved, open a ticket.", LinkAction.ESCALATE),
        ("Do not hesitate to contact support.", LinkAction.ESCALATE),
        ("Do not contact support.", None),
        ("There is no need to open a ticket.", None),
        ("You don't have to contact support.", None),
        ("Contact support for a key, then enter it.", None),
        ("Contact the vendor of the printer for an updated driver.", None),
        ("Ask your administrator for the licence key.", None),
        ("Contact support for help with version 4.", LinkAction.ESCALATE),
        ("Open a ticket with the vendor for an update.", LinkAction.ESCALATE),
        ("The issue is not resolved.", None),
        ("Did this fix the problem?", None),
        ("It cannot be ignored.", None),
        ("Restart it.", None),
        ("Open a ticket. " * 50, None),
        ("", None),
        ("Open the request log.", None),
    ],
)
def test_a_sentence_ends_the_procedure(sentence: str, action: LinkAction | None) -> None:
    assert ending(sentence) == action


@pytest.mark.parametrize(
    ("heading", "condition"),
    [
        ("If the queue grows", "the queue grows"),
        ("If the queue is stable:", "the queue is stable"),
        ("When the target cannot be reached", "the target cannot be reached"),
        ("Unless the node is up", "not (the node is up)"),
        ("In case of fire", "fire"),
        ("Case 1: the lamp is red", "the lamp is red"),
        ("Scenario B - If the lamp is red", "the lamp is red"),
        ("Otherwise:", "otherwise"),
        ("In all other cases", "otherwise"),
        ("Anything else", "otherwise"),
        ("When to call", ""),
        ("Case 1", ""),
        ("Otherwise known as", ""),
        ("Before OCP 4.16", ""),
        ("Iffy", ""),
        ("If", ""),
        ("Steps", ""),
        ("", ""),
    ],
)
def test_a_heading_states_a_condition(heading: str, condition: str) -> None:
    assert heading_condition(heading) == condition


@pytest.mark.parametrize(
    ("condition", "said", "whole"),
    [
        ("otherwise", Said("the disk is full"), "not: the disk is full"),
        ("otherwise", Said("the disk is full", expected="It should stop"), "not: the disk is full"),
        ("otherwise", Said(sentence="Look."), "otherwise"),
        ("if not", Said("not: the disk is full"), "if not"),
        ("if not", Said("the disk is full", expected="It should stop"), "not: It should stop"),
        ("no", Said("Is it green", asked="Is it green"), "not: Is it green"),
        ("it does not", Said("it hums", asked="it stops"), "not: it stops"),
        ("it isn’t", Said("it hums", sentence="Look."), "it isn’t (Look)"),
        ("if so", Said("you are not sure", asked="Is it green"), "Is it green"),
        ("they are", Said(expected="The lamps should be off"), "The lamps should be off"),
        ("if so", Said("the disk is full", sentence="It hums."), "if so (It hums)"),
        ("it fails", Said(sentence="Restart it."), "it fails (Restart it)"),
        ("it fails", Said(), "it fails"),
        ("it’s NO", Said("the joined value is YES", sentence="Look."), "the joined value is NO"),
        ("they are not there", Said("the keys are old"), "the keys are not there"),
        ("it is red", Said("it is green", sentence="Look."), "it is red (Look)"),
        ("it is red", Said("not: the lamp is green", sentence="Look."), "it is red (Look)"),
        ("this is the case", Said("the lamp is green"), "this is the case"),
        ("the disk is full", Said("the node is up", sentence="Look."), "the disk is full"),
    ],
)
def test_a_condition_that_leans_on_what_was_said_takes_it_in(condition: str, said: Said, whole: str) -> None:
    assert complete(condition, said) == whole


@pytest.mark.parametrize(
    ("condition", "idle"),
    [
        ("necessary", True),
        ("you are ready", True),
        ("prompted", True),
        ("you want more information", True),
        ("you need help", True),
        ("you still have questions about it", True),
        ("you modify the file incorrectly", True),
        ("you want to keep the data", False),
        ("you need to keep the data", False),
        ("you have a second key", False),
        ("you are prompted for a key", False),
        ("it is red", False),
    ],
)
def test_a_condition_that_nobody_sees_is_idle(condition: str, idle: bool) -> None:
    assert is_idle(condition) == idle


@pytest.mark.parametrize(
    ("sentence", "question", "wondered", "expected"),
    [
        ("Is the light red?", "Is the light red", "", ""),
        ("Do you see (it)?", "Do you see (it)", "", ""),
        ("What is red?", "", "", ""),
        ("Check whether it is red.", "", "it is red", ""),
        ("Ask the desk to find out if the port is open.", "", "the port is open", ""),
        ("Make sure that the cable is in.", "", "the cable is in", ""),
        ("Make sure that you open it.", "", "", ""),
        ("It should turn green.", "", "", "It should turn green"),
        ("You should see a lamp.", "", "", "You should see a lamp"),
        ("You must open it.", "", "", ""),
        ("Restart it.", "", "", ""),
    ],
)
def test_a_sentence_asks_or_expects(sentence: str, question: str, wondered: str, expected: str) -> None:
    assert (asks(sentence), wonders(sentence), expects(sentence)) == (question, wondered, expected)


@pytest.mark.parametrize(
    ("sentence", "condition"),
    [
        ("If the lamp is red:", "the lamp is red"),
        ("Unless it is red:", "not (it is red)"),
        ("If it is red", "it is red"),
        ("Otherwise:", "otherwise"),
        ("If not:", "if not"),
        ("If any of the following is true:", ""),
        ("If it is red, do this:", ""),
        ("If it is red.", ""),
        ("Do this:", ""),
    ],
)
def test_a_condition_announces_what_to_do(sentence: str, condition: str) -> None:
    assert announced(sentence) == condition


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Current size is 1 TB: ask for more.", Clause("Current size is 1 TB", "ask for more.")),
        ("https://a.example", None),
        ("x" * 81 + ": y and z", None),
        ("no label", None),
    ],
)
def test_a_label_is_a_condition(text: str, found: Clause | None) -> None:
    assert label(text) == found


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("For more information about queues, see the guide.", "more information about queues"),
        ("See also the guide.", "more information"),
        ("To see the queue, run it.", ""),
        ("Follow the guide.", ""),
    ],
)
def test_a_reference_is_told_from_an_instruction(sentence: str, found: str) -> None:
    assert purpose(sentence) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("If red, press Reset; otherwise wait.", ["If red, press Reset.", "otherwise wait."]),
        ("If red, go to step 5, otherwise, wait.", ["If red, go to step 5", "otherwise, wait."]),
        ("IF red THEN press Reset ELSE wait", ["IF red THEN press Reset", "ELSE wait"]),
        ("If red,\npress Reset – else\nwait.", ["If red, press Reset", "else wait."]),
        ("If red, press A, but if green, press B.", ["If red, press A", "but if green, press B."]),
        ("If red, press A and if it is green, press B.", ["If red, press A", "and if it is green, press B."]),
        ("If red, press A; if green, press B; else wait.", ["If red, press A.", "if green, press B.", "else wait."]),
        ("If red, and if hot, press A.", ["If red, and if hot, press A."]),
        ("If red, press A if you can.", ["If red, press A if you can."]),
        ("If red, press something else.", ["If red, press something else."]),
        ("Save it, otherwise it is lost.", ["Save it, otherwise it is lost."]),
        ("Press A.", ["Press A."]),
    ],
)
def test_a_sentence_is_cut_where_its_second_condition_begins(text: str, found: list[str]) -> None:
    assert [half.text for sentence in sentences(text) for half in halves(sentence, text)] == found


def test_a_half_knows_its_lines_and_characters() -> None:
    text = "Look.\nIf red,\nstop; otherwise\ngo."
    (sentence,) = list(sentences(text))[1:]
    assert list(halves(sentence, text)) == [
        Sentence("If red, stop.", 1, 2, 6, 20),
        Sentence("otherwise go.", 2, 3, 20, 33),
    ]


class TestSentences:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("One. Two! Three?", ["One.", "Two!", "Three?"]),
            ("Version 4.16 is new. See a.sh.", ["Version 4.16 is new.", "See a.sh."]),
            ("Use one, e.g. The first. Next.", ["Use one, e.g. The first.", "Next."]),
            ("Say “ja”. Then go.", ["Say “ja”.", "Then go."]),
            ('Say "go." Then go. (See below.) End.', ['Say "go."', "Then go.", "(See below.)", "End."]),
            ("No. 5 is alive.", ["No. 5 is alive."]),
            ("Run a. Then b.", ["Run a.", "Then b."]),
            ("Ask J. Doe. Then go.", ["Ask J. Doe.", "Then go."]),
            ("a\n  b\tc", ["a b c"]),
            ("", []),
            (" \n ", []),
            (". . . .", [". . . ."]),
        ],
    )
    def test_a_text_is_cut_where_a_sentence_ends(self, text: str, found: list[str]) -> None:
        assert [sentence.text for sentence in sentences(text)] == found

    def test_a_sentence_knows_its_lines_and_characters(self) -> None:
        text = "One goes\non. Two\nis long.\nThree."
        assert list(sentences(text)) == [
            Sentence("One goes on.", 0, 1, 0, 12),
            Sentence("Two is long.", 1, 2, 13, 25),
            Sentence("Three.", 3, 3, 26, 32),
        ]

    def test_no_word_is_lost(self) -> None:
        text = "A. B (c.) D.\n\nE e.g. F. “G.” H?! [I.] J"
        assert " ".join(sentence.text for sentence in sentences(text)).split() == text.split()


def test_a_sentence_that_is_data_is_not_searched() -> None:
    data = "if a, go to step 5 and open a ticket " * 20
    assert len(data) > LONGEST_SENTENCE
    assert (clause(data), jump(data), ending(data)) == (None, None, None)
