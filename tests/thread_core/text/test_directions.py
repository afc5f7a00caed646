"""Where a sentence sends the reader, and whether it ends the procedure."""

import pytest

from thread_core.models import LinkAction
from thread_core.text.directions import (
    Jump,
    circumstance,
    ending,
    goes_on,
    in_any_case,
    is_counted,
    is_counted_alone,
    is_denied_link,
    jump,
    refers,
)


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
        ("Do not go to step 3; unplug it.", None),
        ("Don\u2019t continue with Method 2.", None),
        ("Never skip to step 4.", None),
        ("You need not return to step 2.", None),
        ("Do not skip step 3.", None),
        ("Without going to step 3, wait.", None),
        ("Before you go to step 3, wait.", None),
        ("Do not try the next method.", None),
        ("Do not wait but go to step 3.", Jump(step=3)),
        ("Go to step 2 instead of going to step 3.", Jump(step=2)),
        ("If it is not fixed go to step 3.", Jump(step=3)),
        ("If not go to step 3.", Jump(step=3)),
        ("Return to step 2 and then continue with step 3.", Jump(step=2)),
        ("or to step 3 if it is green.", Jump(step=3)),
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
        ("If the problem still exists, move on to the next case below.", Jump(following="case")),
        ("Go to phase 2.", Jump(section="phase 2")),
        ("Try option a, then wait.", Jump(section="option a")),
        ("Try this approach a few times.", None),
        ("Use the other port in case a cable fails.", None),
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
        ("Go to 3.", Jump(section="3")),
        ("If it is red, go back to 3; if not, wait.", Jump(section="3")),
        ("Swap the disk, then continue with 12 if it is red.", Jump(section="12")),
        ("Do not go to 3.", None),
        ("The counter must go to 3.", None),
        ("Go to 3 pumps.", None),
        ("Go to 3 %.", None),
        ("Continue at 3:15.", None),
        ("Go to step 5a.", None),
        ("Go to step 1234.", None),
        ("go " * 300 + "to step 5", None),
        ("", None),
    ],
)
def test_a_sentence_sends_the_reader_to_a_step_or_a_section(sentence: str, found: Jump | None) -> None:
    assert jump(sentence) == found


@pytest.mark.parametrize(
    ("sentence", "action"),
    [
        ("The issue is resolved.", LinkAction.RESOLVED),
        ("The pump has returned to normal operation.", LinkAction.RESOLVED),
        ("Run the pump and see if your pressure problem is solved.", None),
        ("great!", LinkAction.RESOLVED),
        ("done.", LinkAction.RESOLVED),
        ("done by the night shift", None),
        ("You're all set.", LinkAction.RESOLVED),
        ("Great care is needed.", None),
        ("The problem has been fixed.", LinkAction.RESOLVED),
        ("You are finished.", LinkAction.RESOLVED),
        ("You're done.", LinkAction.RESOLVED),
        ("No further action is required.", LinkAction.RESOLVED),
        ("Consider the alert as a false alarm.", LinkAction.RESOLVED),
        ("This alert can safely be ignored.", LinkAction.RESOLVED),
        ("The copy is good, and you can safely disregard the warning.", LinkAction.RESOLVED),
        ("Please disregard this message.", LinkAction.RESOLVED),
        ("Nothing more to do.", LinkAction.RESOLVED),
        ("This is expected.", LinkAction.RESOLVED),
        ("You have fixed the problem.", LinkAction.RESOLVED),
        ("You can stop here.", LinkAction.RESOLVED),
        ("Ignore this warning.", LinkAction.RESOLVED),
        ("Close the ticket.", LinkAction.RESOLVED),
        ("That is normal.", LinkAction.RESOLVED),
        ("Finished.", LinkAction.RESOLVED),
        ("You are back online.", LinkAction.RESOLVED),
        ("You're up and running.", LinkAction.RESOLVED),
        ("All is well.", LinkAction.RESOLVED),
        ("Everything works again.", LinkAction.RESOLVED),
        ("It worked.", LinkAction.RESOLVED),
        ("You don't need to go on.", LinkAction.RESOLVED),
        ("That's normal.", LinkAction.RESOLVED),
        ("It worked on the old model.", None),
        ("All is well with the pump.", None),
        ("Restart it so everything works again.", None),
        ("It may not work as expected.", None),
        ("This is not a false alarm.", None),
        ("Close the lid when you are finished.", None),
        ("Make sure that the problem is fixed.", None),
        ("Wait until the issue is resolved.", None),
        ("not: the issue is resolved.", None),
        ("That's it.", LinkAction.RESOLVED),
        ("That is all the nodes.", None),
        ("STOP.", LinkAction.ESCALATE),
        ("Then stop here.", LinkAction.ESCALATE),
        ("STOP, do not promote the replica.", LinkAction.ESCALATE),
        ("Abort the procedure.", LinkAction.ESCALATE),
        ("Do not proceed with the upgrade.", LinkAction.ESCALATE),
        ("Do not proceed until it is green.", None),
        ("Stop the service.", None),
        ("Abort the backup with `halt`.", None),
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
        ("Raise a P1.", LinkAction.ESCALATE),
        ("Raise the limit to 5.", None),
        ("Loop in the storage team.", LinkAction.ESCALATE),
        ("Ping #helpdesk.", LinkAction.ESCALATE),
        ("Ping the support server.", None),
        ("Tell the owner.", LinkAction.ESCALATE),
        ("Tell the users.", None),
        ("Open the help page of the manager.", None),
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
    ("said", "condition", "action"),
    [
        ("stop here.", "the lamp is green now", LinkAction.RESOLVED),
        ("stop here.", "the lamp is green", LinkAction.RESOLVED),
        ("stop here.", "the pump works", LinkAction.RESOLVED),
        ("stop here.", "the pump is running again", LinkAction.RESOLVED),
        ("stop.", "it works again", LinkAction.RESOLVED),
        ("stop.", "the lamp is green", LinkAction.ESCALATE),
        ("stop here.", "the pump is running", LinkAction.ESCALATE),
        ("stop here.", "the pump runs with a delay now", LinkAction.ESCALATE),
        ("stop here.", "it burns your fingers", LinkAction.ESCALATE),
        ("stop here.", "the lamp is not green", LinkAction.ESCALATE),
        ("stop here.", "it does not work again", LinkAction.ESCALATE),
        ("stop here.", "the lamp is red now", LinkAction.ESCALATE),
        ("stop here.", "the alarm is on again", LinkAction.ESCALATE),
        ("stop here.", "it works and smells now", LinkAction.ESCALATE),
        ("STOP.", "it is green again", LinkAction.ESCALATE),
        ("stop immediately.", "it is green again", LinkAction.ESCALATE),
        ("do not continue.", "it is green again", LinkAction.ESCALATE),
        ("stop here, do not open it.", "it is green again", LinkAction.ESCALATE),
        ("stop here.", "", LinkAction.ESCALATE),
    ],
)
def test_to_stop_is_good_where_all_is_well(said: str, condition: str, action: LinkAction) -> None:
    assert ending(said, f"If {condition}, {said}", condition=condition) is action


@pytest.mark.parametrize(
    ("sentence", "around", "action"),
    [
        ("Stop as soon as it plays.", "Try these in order. ", LinkAction.RESOLVED),
        ("Stop when it plays.", "Work through the list. ", LinkAction.RESOLVED),
        ("Stop as soon as the tank is full.", "Fill the tank. ", None),
        ("Stop as soon as it works again.", "Fill the tank. ", None),
        ("Stop when the lamp is red.", "Fill the tank. ", LinkAction.ESCALATE),
        ("If smoke comes out, stop.", "Try these in order. ", LinkAction.ESCALATE),
    ],
)
def test_to_stop_at_what_helps_is_a_good_end(sentence: str, around: str, action: LinkAction | None) -> None:
    assert ending("Stop", sentence, around + sentence) == action


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
    ("sentence", "offered"),
    [
        ("For more information about queues, see the guide.", True),
        ("For manual steps or more information, see the guide.", True),
        ("For suggested changes, see the guide.", True),
        ("For instructions, see the guide.", True),
        ("To learn more about queues, read the guide.", True),
        ("See also the guide.", True),
        ("See Lamps for more information.", True),
        ("Refer to Lamps for details.", True),
        ("(See also Lamps.)", True),
        ("Please see Lamps for detailed instructions on bulbs.", True),
        ("You can find more tips in Lamps.", True),
        ("You may also find details at Lamps, there.", True),
        ("For more than two lamps, see the guide.", False),
        ("For lamps with instructions, see the guide.", False),
        ("For old lamps, see the guide.", False),
        ("To see the queue, run it.", False),
        ("Follow the guide.", False),
        ("You can find the lamp in the hall.", False),
        ("See Lamps.", False),
        ("Follow Lamps for the next hour.", False),
        ("Swap the bulb, see Lamps for details.", False),
        ("For more information, " + "see Lamps. " * 60, False),
    ],
)
def test_a_reference_offers_more_to_read_and_is_told_from_an_instruction(sentence: str, offered: bool) -> None:
    assert refers(sentence) is offered


@pytest.mark.parametrize(
    ("sentence", "case"),
    [
        ("After the third try, go to Appendix A.", "After the third try"),
        ("On old machines, follow B.", "On old machines"),
        ("For version 4, we recommend B.", "For version 4"),
        ("In the menu, select B.", ""),
        ("On the details page, check it.", ""),
        ("For example, go to B.", ""),
        ("In general, use B.", ""),
        ("In either case, go to B.", ""),
    ],
)
def test_what_stands_before_an_instruction_to_go_elsewhere_is_its_case(sentence: str, case: str) -> None:
    assert circumstance(sentence) == case


@pytest.mark.parametrize(
    ("heading", "counted"),
    [
        ("Method 2", True),
        ("Cause B: the spring", True),
        ("step 12. Oil it", True),
        ("Case 2: the cord", True),
        ("Stage a rollout", False),
        ("Methods", False),
        ("Method of last resort", False),
        ("2. The spring", False),
        ("The spring, part 2", False),
    ],
)
def test_a_heading_is_one_of_several_that_are_tried_in_turn(heading: str, counted: bool) -> None:
    assert is_counted(heading) == counted


@pytest.mark.parametrize(
    ("name", "alone"), [("Method 2", True), (" step 12 ", True), ("Method 2b", False), ("Method 2: oil", False)]
)
def test_a_name_may_be_nothing_but_a_kind_and_a_number(name: str, alone: bool) -> None:
    assert is_counted_alone(name) == alone


@pytest.mark.parametrize(
    "before", ["You need not see ", "Do not follow ", "Don\u2019t use ", "There is no need to read "]
)
def test_nobody_is_sent_along_a_link_that_is_denied(before: str) -> None:
    assert is_denied_link(before)


@pytest.mark.parametrize(
    "before",
    ["", "See ", "Do not start without reading ", "Do not install it before you read ", "If you have never used "],
)
def test_what_has_to_be_read_first_is_not_denied(before: str) -> None:
    assert not is_denied_link(before)


@pytest.mark.parametrize(
    ("sentence", "always"),
    [
        ("In either case, go to B.", True),
        ("Call the owner in any case.", True),
        ("Regardless of the lamp, wait.", True),
        ("Whatever it shows, wait.", True),
        ("Afterwards, wait.", True),
        ("In any case of fire, go to B.", False),
        ("In this case, go to B.", False),
        ("Press whatever is red.", False),
    ],
)
def test_a_sentence_holds_whatever_was_the_case(sentence: str, always: bool) -> None:
    assert in_any_case(sentence) is always
