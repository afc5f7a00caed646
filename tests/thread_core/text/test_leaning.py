import pytest

from thread_core.text.leaning import Said, asks, complete, expects, in_that_case, that_case, wonders


@pytest.mark.parametrize(
    ("condition", "said", "whole"),
    [
        ("otherwise", Said("the disk is full"), "not: the disk is full"),
        ("otherwise", Said("the disk is full", expected="It should stop"), "not: the disk is full"),
        ("otherwise", Said("it hums", expected="It should stop", sentence="It should stop."), "not: It should stop"),
        ("otherwise", Said(sentence="Look."), "otherwise"),
        ("in all other cases", Said("the disk is full"), "not: the disk is full"),
        ("in all other rooms", Said("the disk is full"), "in all other rooms"),
        ("if not", Said("not: the disk is full"), "if not"),
        ("if not", Said("the disk is full", expected="It should stop"), "not: It should stop"),
        ("no", Said("Is it green", asked="Is it green"), "not: Is it green"),
        ("it does not", Said("it hums", asked="it stops"), "not: it stops"),
        ("it isn’t", Said("it hums", sentence="Look."), "it isn’t (Look)"),
        ("it has not", Said("the id has changed", sentence="Look."), "not: the id has changed"),
        ("it isn’t", Said("the lamp is red"), "not: the lamp is red"),
        ("it is not", Said("the lamp is red"), "not: the lamp is red"),
        ("it is not", Said("not: the lamp is red", sentence="Look."), "it is not (Look)"),
        ("it does not", Said("the id has changed", sentence="Look."), "it does not (Look)"),
        ("if so", Said("you are not sure", asked="Is it green"), "Is it green"),
        ("they are", Said(expected="The lamps should be off"), "The lamps should be off"),
        ("if so", Said("the disk is full", sentence="It hums."), "if so (It hums)"),
        ("it fails", Said(sentence="Restart it."), "it fails (Restart it)"),
        ("it fails", Said(), "it fails"),
        ("it fails", Said(sentence="What if it fails?"), "it fails"),
        ("it’s NO", Said("the joined value is YES", is_from_last=True), "the joined value is NO"),
        ("they are not there", Said("the keys are old", is_from_last=True), "the keys are not there"),
        ("it is torn", Said("the pump is hot", sentence="Take the filter out."), "it is torn (Take the filter out)"),
        ("it is torn", Said("the pump is hot"), "it is torn"),
        ("it is stuck", Said("there is any dust", is_from_last=True), "it is stuck"),
        ("it is red", Said("it is green", sentence="Look."), "it is red (Look)"),
        ("it is red", Said("not: the lamp is green", sentence="Look."), "it is red (Look)"),
        ("you choose this option", Said(sentence="Fill it by hand."), "you choose this option (Fill it by hand)"),
        ("you choose this option", Said("the lamp is on"), "you choose this option"),
        ("this option is gone", Said("the lamp is on", sentence="Look."), "this option is gone"),
        ("this is the case", Said("the lamp is green"), "this is the case"),
        ("the disk is full", Said("the node is up", sentence="Look."), "the disk is full"),
    ],
)
def test_a_condition_that_leans_on_what_was_said_takes_it_in(condition: str, said: Said, whole: str) -> None:
    assert complete(condition, said) == whole


@pytest.mark.parametrize(
    ("sentence", "question", "wondered", "expected"),
    [
        ("Is the light red?", "Is the light red", "", ""),
        ("Do you see (it)?", "Do you see (it)", "", ""),
        ("What is red?", "", "", ""),
        ("Not pingable?", "Not pingable", "", ""),
        ("❌ Asks for a code?", "Asks for a code", "", ""),
        ("What if it fails?", "it fails", "", ""),
        ("(How do I start it?", "", "", ""),
        ("Any questions?", "", "", ""),
        ("One two three four five six seven eight nine?", "", "", ""),
        ("a " * 100_000 + "?", "", "", ""),
        ("Check whether it is red.", "", "it is red", ""),
        ("Ask the desk to find out if the port is open.", "", "the port is open", ""),
        ("Make sure that the cable is in.", "", "the cable is in", ""),
        ("Make sure the cable is in.", "", "the cable is in", ""),
        ("Make sure that you open it.", "", "", ""),
        ("Make sure you open it.", "", "", ""),
        ("Make sure to open it.", "", "", ""),
        ("It should turn green.", "", "", "It should turn green"),
        ("You should see a lamp.", "", "", "You should see a lamp"),
        ("You must open it.", "", "", ""),
        ("Restart it.", "", "", ""),
    ],
)
def test_a_sentence_asks_or_expects(sentence: str, question: str, wondered: str, expected: str) -> None:
    assert (asks(sentence), wonders(sentence), expects(sentence)) == (question, wondered, expected)


@pytest.mark.parametrize(
    ("sentence", "then"),
    [
        ("In this case, close the lid.", "close the lid."),
        ("in such a case, wait", "wait"),
        ("In that situation, go to B.", "go to B."),
        ("In that case close the lid.", "close the lid."),
        ("In that case study, close the lid.", ""),
        ("In any case, close the lid.", ""),
        ("In this cabinet, close the lid.", ""),
        ("Close it in this case, then wait.", ""),
    ],
)
def test_a_sentence_says_that_it_is_for_the_case_before(sentence: str, then: str) -> None:
    assert in_that_case(sentence) == then


@pytest.mark.parametrize(
    ("condition", "sentence", "case"),
    [
        ("not: it leaks", "Leave it alone, unless it leaks.", "it leaks"),
        ("not: it leaks", "Unless it leaks, leave it alone.", "not: it leaks"),
        ("it leaks", "Leave it alone if it leaks.", "it leaks"),
    ],
)
def test_in_that_case_means_what_unless_named_last(condition: str, sentence: str, case: str) -> None:
    assert that_case(condition, sentence) == case
