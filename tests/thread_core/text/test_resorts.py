"""Which sections are only read when they are needed."""

import pytest

from thread_core.text.resorts import Resort, is_task, resort


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Rollback", Resort.UNDO),
        ("3. Rollback", Resort.UNDO),
        ("Back-out plan", Resort.UNDO),
        ("How to roll back", Resort.UNDO),
        ("Undo the change", Resort.UNDO),
        ("Reverting", Resort.UNDO),
        ("Uninstall", Resort.REMOVE),
        ("Uninstall the agent", Resort.REMOVE),
        ("Uninstall the old one", None),
        ("Uninstall the agent and reinstall it", None),
        ("Step 5: Uninstall the agent", None),
        ("Recovery", Resort.RECOVER),
        ("Troubleshooting", Resort.MEND),
        ("Known issues", Resort.KNOWN),
        ("Escalation", Resort.CALL),
        ("Contact us if", Resort.CALL),
        ("When to contact support", Resort.CALL),
        ("When to see a mechanic", Resort.CALL),
        ("Contact the relay", None),
        ("Validate", None),
        ("", None),
    ],
)
def test_a_section_below_a_task_is_only_read_when_it_is_needed(heading: str, kind: Resort | None) -> None:
    assert resort(heading, "Upgrade the agent") is kind


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("Rollback", "The agent is slow"),
        ("Rollback", "Roll back the agent"),
        ("Uninstall the agent", "Blue screen after update"),
        ("Uninstall the agent", "Migrate from the agent to the client"),
        ("Troubleshooting", "Desktop notifications"),
        ("Recovery", "Node outage"),
    ],
)
def test_it_is_a_step_where_the_document_is_about_a_fault_or_about_just_that(heading: str, title: str) -> None:
    assert resort(heading, title) is None


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Upgrade Keystore", True),
        ("Upgrading Keystore", True),
        ("Keystore upgrade runbook", True),
        ("How do I get a laptop?", True),
        ("Desktop notifications", False),
        ("KubePodNotReady", False),
        ("", False),
    ],
)
def test_a_title_says_what_is_to_be_done(title: str, found: bool) -> None:
    assert is_task(title) is found


@pytest.mark.parametrize("text", ["rollback " * 9000, "roll back" + " " * 50000 + "x", "upgrade of " * 9000])
def test_no_heading_takes_long(text: str) -> None:
    resort(text, "Upgrade the agent")
    resort("Troubleshooting", text)
