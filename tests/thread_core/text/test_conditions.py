import pytest

from thread_core.text.conditions import (
    Clause,
    announced,
    clause,
    halves,
    is_idle,
    label,
)
from thread_core.text.directions import ending, jump
from thread_core.text.sentences import LONGEST_SENTENCE, Sentence, cut


@pytest.mark.parametrize(
    ("sentence", "condition", "consequence"),
    [
        ("If the pod is not running, restart it.", "the pod is not running", "restart it."),
        ("If the pod runs then stop.", "the pod runs", "stop."),
        ("When the disk is full: free space.", "the disk is full", "free space."),
        ("Whenever the probe fails, look.", "the probe fails", "look."),
        ("Unless the pod is up, start it.", "not: the pod is up", "start it."),
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
        ("If it is red after that, go to step 3.", "it is red after that", "go to step 3."),
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
        ("In all other cases the lamp is red.", "in all other cases", "the lamp is red."),
        ("But for everything else: press it.", "for everything else", "press it."),
        ("Press it, in any other case.", "in any other case", "Press it"),
        ("If this does not work you can try the key.", "this does not work", "you can try the key."),
        ("Once it is red it should stop.", "it is red", "it should stop."),
        ("If that fails call the desk.", "that fails", "call the desk."),
        ("If it doesn’t help remove the lid.", "it doesn’t help", "remove the lid."),
        ('If it says "Lost," press it.', 'it says "Lost"', "press it."),
        ("If it says “Lost,” or is red, press it.", "it says “Lost”, or is red", "press it."),
        ("p99 > 2 s, go to Slow.", "p99 > 2 s", "go to Slow."),
        ("Lag ≥ 5 min - restart it.", "Lag ≥ 5 min", "restart it."),
        ("replicas = 0, then scale it up.", "replicas = 0", "scale it up."),
        ("exit code != 0, go to step 3.", "exit code != 0", "go to step 3."),
        ("p99 > 2 s, p50 > 1 s, restart it.", "p99 > 2 s, p50 > 1 s", "restart it."),
        ("errors > 5 %, escalate to the owner.", "errors > 5 %", "escalate to the owner."),
        ("Restart it if the pod hangs.", "the pod hangs", "Restart it"),
        ("Restart it, unless the pod is new.", "not: the pod is new", "Restart it"),
        ("Leave it, unless it leaks, in which case close the lid.", "it leaks", "close the lid."),
        ("Use it unless it leaks; in that case close it.", "it leaks", "close it."),
        ("It opens by itself, unless it is hot in which case wait.", "it is hot", "wait."),
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
        ("ready? → go on", "ready", "go on"),
        ("The display shows a code → Fault codes", "The display shows a code", "Fault codes"),
        ("The light on the Hub → Restart the hub", "The light on the Hub", "Restart the hub"),
        ("The lamp is at Red → close the lid", "The lamp is at Red", "close the lid"),
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
        ("⚠️ If it is red, stop.", "it is red", "stop."),
        ("(If it is red, stop.)", "it is red", "stop."),
        ("If it fails go to B.", "it fails", "go to B."),
        ("If it will not go to B you can press it.", "it will not go to B", "you can press it."),
        ("E12 usually means that it is stuck.", "E12", "that it is stuck."),
        ("Whistling mostly means that it is loose.", "Whistling", "that it is loose."),
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
        "More often means that there is a leak.",
        "The counter indicates how many seconds it is off.",
        "The duration is visible on the Observe -> Targets tab.",
        "You can query it in the console (Observe → Metrics).",
        "It stands in Pump Settings → Save as",
        "For that go to Version → Select Forge → OK",
        "You will see it under “Lid & Pump” → Reset",
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
        "Do not use it for anything else.",
        "Press everything else.",
        "What do you do if it is red?",
        "See the other cases.",
        "If the lamps go to red",
        "If it did not go to red",
        "If it fails to start",
        "If it works well",
        "Audience → Service desk",
        "Set timeout = 30, then save the file.",
        "Wait > 5 min, then restart it.",
        "The limit is p99 > 2 s, as the graph says.",
        "See the chart, p99 > 2 s, go home.",
        "Needs Agent >= 2.3, a key and a cable.",
    ],
)
def test_a_sentence_without_a_condition_states_none(sentence: str) -> None:
    assert clause(sentence) is None


@pytest.mark.parametrize(
    ("condition", "idle"),
    [
        ("necessary", True),
        ("you are ready", True),
        ("prompted", True),
        ("you want more information", True),
        ("you need help", True),
        ("Need help", True),
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
    ("sentence", "condition"),
    [
        ("If the lamp is red:", "the lamp is red"),
        ("Unless it is red:", "not: it is red"),
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
        ("Ping it; if it fails, press A.", ["Ping it.", "if it fails, press A."]),
        ("The lamp blinks – when it is red, press A.", ["The lamp blinks", "when it is red, press A."]),
        ("Press A—if it is red, press B.", ["Press A", "if it is red, press B."]),
        ("Press A: if it is red, press B.", ["Press A", "if it is red, press B."]),
        ("Press A, if it is red, press B.", ["Press A", "if it is red, press B."]),
        ("Press A and if it is red go to B.", ["Press A", "and if it is red go to B."]),
        ("Press A (if it is red, press B), then\nwait.", ["Press A", "if it is red, press B", "then wait."]),
        ("Press A (if it is red, press B).", ["Press A", "if it is red, press B"]),
        ("It must be red, otherwise press A.", ["It must be red", "otherwise press A."]),
        ("It must be red, otherwise it hums.", ["It must be red, otherwise it hums."]),
        ("ping db1: if it fails, press B.", ["ping db1", "if it fails, press B."]),
        ("Lamp: if it is red, press B.", ["Lamp: if it is red, press B."]),
        ("no: if it is red, press B.", ["no: if it is red, press B."]),
        ("The lamp – if it is red – blinks.", ["The lamp – if it is red – blinks."]),
        ("On the lid, if it is red, a lamp blinks.", ["On the lid, if it is red, a lamp blinks."]),
        ("Press A, if it is red, a lamp blinks.", ["Press A, if it is red, a lamp blinks."]),
        ("If the lid (if it is off, the top) is red, go.", ["If the lid (if it is off, the top) is red, go."]),
    ],
)
def test_a_sentence_is_cut_where_its_second_condition_begins(text: str, found: list[str]) -> None:
    assert [half.text for sentence in cut(text) for half in halves(sentence, text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "lamp returns 1 if it is up, or 0 if not.",
            [("lamp returns 1", "it is up."), ("lamp returns 0", "not: it is up.")],
        ),
        (
            "lamp shows A when it is hot and B otherwise",
            [("lamp shows A", "it is hot."), ("lamp shows B", "not: it is hot.")],
        ),
        (
            "lamp prints A if it is hot,or B if it is cold.",
            [("lamp prints A", "it is hot."), ("lamp prints B", "it is cold.")],
        ),
        ("Restart it if it returns 1 or wait if not.", None),
    ],
)
def test_values_of_which_each_means_something_are_cases(text: str, found: list[tuple[str, str]] | None) -> None:
    parts = [clause(half.text) for sentence in cut(text) for half in halves(sentence, text)]
    assert (parts == [Clause(*one) for one in found]) if found else len(parts) == 1


def test_a_label_is_no_clause_before_a_condition() -> None:
    text = "Steady – if it hums, press A."
    assert [half.text for sentence in cut(text) for half in halves(sentence, text, "Steady")] == [text]


def test_a_half_knows_its_lines_and_characters() -> None:
    text = "Look.\nIf red,\nstop; otherwise\ngo."
    (sentence,) = list(cut(text))[1:]
    assert list(halves(sentence, text)) == [
        Sentence("If red, stop.", 1, 2, 6, 20),
        Sentence("otherwise go.", 2, 3, 20, 33),
    ]


def test_a_sentence_that_is_data_is_not_searched() -> None:
    data = "if a, go to step 5 and open a ticket " * 20
    assert len(data) > LONGEST_SENTENCE
    assert (clause(data), jump(data), ending(data)) == (None, None, None)
