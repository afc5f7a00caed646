"""The contract of amounts and ranges, as tables: what is read, what is compared, and what is left in doubt."""

from __future__ import annotations

import subprocess
import sys
from math import inf

import pytest

from thread_core.walk.quantities import amounts, bounds, only_one, outside_all

VOLUME, TIME, HEAT, BYTES, PART = "meter ** 3", "second", "kelvin", "bit", "dimensionless"
PRESSURE, TURNS = "kilogram / meter / second ** 2", "radian / second"
VOLTAGE = "kilogram * meter ** 2 / ampere / second ** 3"

Range = tuple[float, float, bool, bool, str]


def within(report: str, condition: str) -> bool | None:
    if only_one(report, [condition]) == 0:
        return True
    return False if outside_all(report, [condition]) else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("roughly 3 litres are left", [(0.003, VOLUME)]),
        ("~250 ml", [(0.00025, VOLUME)]),
        ("half a liter", [(0.0005, VOLUME)]),
        ("three and a half hours", [(12600.0, TIME)]),
        ("an hour and a half", [(5400.0, TIME)]),
        ("it took a minute", [(60.0, TIME)]),
        ("the oldest one is an hour old", [(3600.0, TIME)]),
        ("thirty seconds", [(30.0, TIME)]),
        ("a 45 second timeout", [(45.0, TIME)]),
        ("a 5-minute delay", [(300.0, TIME)]),
        ("250µs", [(0.00025, TIME)]),
        ("64 %", [(0.64, PART)]),
        ("12.5 bar", [(1250000.0, PRESSURE)]),
        ("230 V", [(230.0, VOLTAGE)]),
        ("500 mA", [(0.5, "ampere")]),
        ("12 cm", [(0.12, "meter")]),
        ("-7 °C", [(266.15, HEAT)]),
        ("minus seven degrees Celsius", [(266.15, HEAT)]),
        ("212 F", [(373.15, HEAT)]),
        ("16 GiB", [(137438953472.0, BYTES)]),
        ("8gb", [(64e9, BYTES)]),
        ("30 PSI", [(206842.718795, PRESSURE)]),
        ("200 kPa", [(200000.0, PRESSURE)]),
        ("3,000 rpm", [(314.159265359, TURNS)]),
        ("one thousand two hundred rows", [(1200.0, "")]),
        ("just one", [(1.0, "")]),
        ("3 in the drawer", [(3.0, "")]),
        ("4 are red", [(4.0, "")]),
        ("9 points", [(9.0, "")]),
        ("2 to 3 days", [(172800.0, TIME), (259200.0, TIME)]),
        ("12 errors. 3 warnings", [(12.0, ""), (3.0, "")]),
    ],
)
def test_amounts_are_read_in_base_units(text: str, expected: list[tuple[float, str]]) -> None:
    read = [(value, found.dimension) for found in amounts(text) for value in sorted({found.low[0], found.high[0]})]
    assert read == expected


@pytest.mark.parametrize(
    "text",
    [
        *("on 2025-03-14", "14/03/2025", "May 14", "14 March", "since 2019", "at 09:45", "at 9 pm", "9 o'clock"),
        *("v3.1", "3.1.4", "192.168.0.1", "version 12", "Ubuntu 24", "Windows 10"),
        *("E17", "0x1F", "HTTP 502", "I see 502s", "error code 5", "exit 1", "ticket #88", "#88"),
        *("step 4", "steps 2 and 3", "option 2", "pod web-2", "disk 1", "p95", "2nd", "3-way", "1e6", "7/8", "16:9"),
        *("€20", "20 $", "1.250", "1 250", "5 dozen", "2 x 50 mL", "5 ± 1 bar", "returned -1"),
        *(
            "no one",
            "that one",
            "hundreds of rows",
            "a few",
            "several",
            "1/2 inch",
            "1½ h",
            "1 h 20 min",
            "12,5 bar",
            "3 of 5",
            "half of them",
            "a second try",
            "",
        ),
        *("3 minutes longer than before", "it rose by 4 °C", "the last 5 minutes", "needs 8 GB"),
    ],
)
def test_what_only_looks_like_an_amount_is_none(text: str) -> None:
    assert amounts(text) == ()


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("there are fewer than 8 left", (-inf, 8, True, True, "")),
        ("the tank holds under 20 litres", (-inf, 0.02, True, True, VOLUME)),
        ("the delay is greater than 150 ms", (0.15, inf, True, True, TIME)),
        ("it is warmer than 60 °C", (333.15, inf, True, True, HEAT)),
        ("usage exceeds 75 %", (0.75, inf, True, True, PART)),
        ("more than an hour", (3600, inf, True, True, TIME)),
        ("p95 >= 3 s", (3, inf, False, True, TIME)),
        ("≤ 40", (-inf, 40, True, False, "")),
        ("<= 2 bar", (-inf, 200000, True, False, PRESSURE)),
        ("at most 12 retries", (-inf, 12, True, False, "")),
        ("30 or more", (30, inf, False, True, "")),
        ("3 pods or fewer", (-inf, 3, True, False, "")),
        ("50+", (50, inf, False, True, "")),
        ("it comes up within 2 minutes", (-inf, 120, True, False, TIME)),
        ("the backup is older than 2 weeks", (1209600, inf, True, True, TIME)),
        ("it is no longer over 300", (-inf, 300, True, False, "")),
        ("not less than 4", (4, inf, False, True, "")),
        ("it doesn't take longer than 5 minutes", (-inf, 300, True, False, TIME)),
        ("between two and four hours", (7200, 14400, False, False, TIME)),
        ("it was open for 10 to 45 minutes", (600, 2700, False, False, TIME)),
        ("50 to 500 mL", (0.00005, 0.0005, False, False, VOLUME)),
        ("1.5-2.5 bar", (150000, 250000, False, False, PRESSURE)),
        ("from -5 to 5 °C", (268.15, 278.15, False, False, HEAT)),
        ("above 10 ms but below 30 ms", (0.01, 0.03, True, True, TIME)),
        ("it is zero", (0, 0, False, False, "")),
        ("two beeps", (2, 2, False, False, "")),
        ("1 or 2 beeps", (1, 2, False, False, "")),
        ("not: the queue is shorter than 10", (10, inf, False, True, "")),
        # Amounts told in passing do not make a second range.
        ("more than 4 restarts in the last 10 minutes", (4, inf, True, True, "")),
        ("latency above 90 ms for 5 minutes", (0.09, inf, True, True, TIME)),
        *(
            (condition, None)
            for condition in ("it is empty", "wait 5 minutes", "not 5", "more than half", "see step 4")
        ),
        *((condition, None) for condition in ("below 5 or above 10", "over 5 GB and over 3 hours", "it is 0 or 5")),
        *((condition, None) for condition in ("it does not start within 5 minutes", "more than 5 °C above ambient")),
        *((condition, None) for condition in ("it is older than 4.6", "below 2, above 9", "not: 2 to 3 L")),
    ],
)
def test_a_condition_states_one_range_or_none(condition: str, expected: Range | None) -> None:
    found = bounds(condition)
    if expected is None or found is None:
        assert found is expected
        return
    low, high, low_open, high_open, dimension = expected
    assert (found.low[0], found.high[0], found.dimension) == (low, high, dimension)
    assert (found.low[1] == 1 or low == -inf, found.high[1] == -1 or high == inf) == (low_open, high_open)


@pytest.mark.parametrize(
    ("report", "condition", "expected"),
    [
        ("about 3 L", "more than 1 L", True),
        ("0.3 litres", "50 to 500 mL", True),
        ("500 mL", "50 to 500 mL", True),
        ("1 L", "over 1000 mL", False),
        ("100 °F", "above 37 °C", True),
        ("5 GiB", "up to 5 GB", False),
        ("more than 3 L", "more than 1 L", True),
        ("at least 1 L", "more than 1 L", None),
        ("just over 1 L", "at least 1 L", True),
        ("no more than 3", "over 5", False),
        ("2 to 3 hours", "longer than 90 minutes", True),
        ("2 to 3 hours", "longer than 150 minutes", None),
        ("5 or 6 GB", "more than 4 GB", True),
        ("seven computers are listed", "more than five client computers", True),
        ("seven computer names are listed", "more than five computers", None),
        ("two different computer names", "more than five computers", None),
        ("it is seven", "more than five computers", True),
        ("8, then 9", "over 5", True),
        ("3, then 9", "over 5", None),
        ("step 3 took 5 minutes", "longer than 4 minutes", True),
        ("no, 12 rows", "at least 10", True),
        *((report, "more than 1 L", None) for report in ("not 2 litres", "it isn't 2 litres", "2 litres?", "no idea")),
        *(
            (report, "more than 1 L", None)
            for report in ("2 kg", "2 L more", "should be 2 L", "1 x 2 L", "a few litres")
        ),
        ("fifty degrees", "above 40 °C", None),
        ("8 m", "longer than 5 minutes", None),
        ("1 h 20 min", "longer than 75 minutes", None),
        ("two thirds of the pods", "more than one pod", None),
        ("a quarter of an hour", "longer than 30 minutes", None),
        ("10 or 50 GB", "more than 20 GB", None),
        ("not up to 2 bar", "above 2 bar", None),
        ("once a day", "more than 2 days", None),
        ("30 Nm", "shorter than 5 m", None),
        ("3 MPa", "above 20 bar", True),
        ("9 per hour", "more than 5 per minute", None),
        ("5 Mb", "more than 1 MB", None),
        ("12", "below 5 or above 10", None),
        ("12", "it is full", None),
    ],
)
def test_a_report_is_compared_where_that_is_beyond_doubt(report: str, condition: str, expected: bool | None) -> None:
    assert within(report, condition) is expected


@pytest.mark.parametrize(
    ("report", "conditions", "expected"),
    [
        ("2 L", ["under 50 mL", "50 mL to 1 L", "over 1 L"], 2),
        ("15", ["fewer than 10", "10 to 20", "otherwise"], 1),
        ("15", ["fewer than 20 rows", "longer than 5 minutes"], 0),
        ("8", ["less than 5", "not: less than 5"], 1),
        ("500 mL", ["up to 500 mL", "500 mL or more"], None),
        ("2 to 4", ["fewer than 3", "3 or more"], None),
        ("12", ["below 5 or above 10", "at least 3"], None),
        ("not 12", ["below 5", "5 or more"], None),
        ("it is full", ["below 5", "5 or more"], None),
        # A number that stands alone.
        ("70", ["under 50 mL", "50 mL or more"], 1),
        ("it is about 70", ["below 60 °C", "60 °C or higher"], 1),
        ("the level is 30", ["the level is below 40 %", "the level is 40 % or more"], 0),
        ("70", ["under 50 mL", "50 mL to 1 L", "over 1 L"], None),
        ("3 errors", ["under 50 mL", "50 mL or more"], None),
        ("I changed all 3", ["under 50 mL", "50 mL or more"], None),
    ],
)
def test_only_one_condition_fits(report: str, conditions: list[str], expected: int | None) -> None:
    assert only_one(report, conditions) == expected


@pytest.mark.parametrize(
    ("report", "conditions", "expected"),
    [
        ("9", ["1 to 3", "4 to 6"], True),
        ("900", ["under 50 mL", "100 to 300 mL"], True),
        ("5", ["1 to 3", "4 to 6"], False),
        ("4 to 9", ["1 to 3", "5 to 6"], False),
        ("9", ["1 to 3", "otherwise"], False),
        ("9 L", ["1 to 3"], False),
        ("9", [], False),
    ],
)
def test_a_report_outside_of_all_is_outside_of_each(report: str, conditions: list[str], expected: bool) -> None:
    assert outside_all(report, conditions) is expected


@pytest.mark.parametrize(
    "part", ["9", "1,000", "one ", "1-", "about ", "~(", "not ", "5 m 3 s ", "1x", "\ud800\ue0001\ue001", " \n"]
)
def test_long_and_strange_texts_are_read_too(part: str) -> None:
    for text in (part * 3, (part * 2000)[:2000], part * 20_000):
        assert within(text, text) is None or amounts(text)


def test_units_are_not_loaded_before_one_is_met() -> None:
    code = (
        "import sys; from thread_core.walk.quantities import amounts; amounts('7')\n"
        "assert 'pint' not in sys.modules; amounts('7 ms'); assert 'pint' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
