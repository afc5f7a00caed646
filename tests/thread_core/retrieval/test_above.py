from thread_core import Document, LogicUnitType, RuleExtractor
from thread_core.retrieval.above import above

PRESS = """# The press

You need a torch.

> [!CAUTION]
> The belt is hot.

## Safety

Wear gloves.

## The lid

### Safety

Mind your fingers.

### Open it

1. Turn the key.

### Close it

1. Push the lid.

## Clean it

1. Wipe the plate.
"""
FOR_ALL = ("You need a torch.", "Caution: The belt is hot.", "Warning: Wear gloves.")


class TestWhoeverBeginsLater:
    def before(self, text: str, of: int = 0) -> dict[str, tuple[str, ...]]:
        """What is told at each step but the first ones, by the heading above it."""
        units = RuleExtractor().extract(Document("press.md", text)).units
        steps = [unit for unit in units if unit.type == LogicUnitType.STEP]
        return {unit.section[-1]: above(unit, units) for unit in steps[of:]}

    def test_is_told_what_holds_for_all_and_for_the_section(self) -> None:
        assert self.before(PRESS) == {
            "Open it": (),
            "Close it": (*FOR_ALL, "Warning: Mind your fingers."),
            "Clean it": FOR_ALL,
        }

    def test_is_not_told_what_a_step_says(self) -> None:
        told = self.before("# Tea\n\n## Water\n\n1. You must have a cup. Boil it.\n\n## Leaves\n\n1. Pour.\n")
        assert told == {"Water": (), "Leaves": ()}

    def test_is_warned_whatever_the_box_stands_in(self) -> None:
        box = "> [!WARNING]\n> It cuts.\n"
        saw = f"# Saw\n\n{box}\nTry a knife first.\n\n## Wood\n\n1. Cut it.\n\n## Bark\n\n1. Peel it.\n"
        warned = ("Warning: It cuts.",)
        assert self.before(saw, of=1) == {"Wood": warned, "Bark": warned}
        overview = f"# Saw\n\n## Overview\n\n{box}\n## Wood\n\n1. Cut it.\n\n## Bark\n\n1. Peel it.\n"
        assert self.before(overview) == {"Wood": warned, "Bark": warned}

    def test_is_not_warned_of_a_step_that_is_another_s(self) -> None:
        saw = "# Saw\n\n1. Cut it.\n\n> [!WARNING]\n> It cuts.\n\n## Bark\n\n1. Peel it.\n"
        assert self.before(saw, of=1) == {"Bark": ()}

    def test_is_warned_behind_the_tabs_of_which_one_is_shown(self) -> None:
        bin_ = (
            '# Bin\n\n## Empty it\n\n=== "Red"\n\n    Tilt it.\n\n=== "Blue"\n\n    Lift it.\n\n'
            "!!! danger\n    It is heavy.\n\nClose it.\n\n!!! danger\n    It shuts hard.\n\n## Wash it\n\nUse soap.\n"
        )
        assert self.before(bin_) == {
            "In case of Red": ("Danger: It is heavy.",),
            "In case of Blue": ("Danger: It is heavy.",),
            "Empty it": (),
            "Wash it": (),
        }

    def test_is_warned_behind_the_list_of_cases_of_which_one_is_shown(self) -> None:
        cases = "".join(f"- If lamp {number} is lit, {'wait and ' * 30}press key {number}.\n" for number in range(1, 6))
        text = f"# Lamps\n\nLook at the lamps.\n\n{cases}\n> [!CAUTION]\n> The keys are hot.\n\n## Rest\n\nWait.\n"
        units = RuleExtractor().extract(Document("lamps.md", text)).units
        *others, last, _ = units
        assert len(others) > 1
        assert {above(unit, units) for unit in others} == {("Caution: The keys are hot.",)}
        assert above(last, units) == ()
