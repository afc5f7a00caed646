"""Names of commands, files, keys and codes stand in headers character for character."""

from __future__ import annotations

import pytest

from thread_core import Document, RuleExtractor

NAMES = (
    *("my_config_key", "--dry-run", "-v", "E_ACCESS", "node/drain", r"C:\path", r"C:\Program Files\app_v2"),
    *("0x80070005", "kube-proxy", "setup_v2.exe", "config.yaml", ".env", ":8080", "*args", "**kwargs", "__init__"),
    *("$HOME", "${VAR}", "%TEMP%", "~/.ssh", "oc adm drain", "foo::bar", "@scope/pkg", "key=value", "[default]"),
    *("{{ value }}", "{#x}", "<name>", "a|b", "10.0.0.1", "1.2.3", "x:y"),
)
FORMS = (
    "# T\n\n## Set `{}`\n\nDo it.\n",
    "# T\n\nSet `{}` to 5.\n",
    "# Set `{}`\n\nDo it.\n",
    "# T\n\n## `{}` fails\n",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_inline_code_stays_as_it_is_written(name: str, form: str) -> None:
    text = form.replace("{}", name)
    assert name in RuleExtractor().extract(Document("a.md", f"{text}\n1. Go on.\n")).units[0].header


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        *(("2.4 Journal", "Journal"), ("1) Open it", "Open it"), ("Step 3: go", "go"), ("2.4. open it", "open it")),
        *((".env is gone", ".env is gone"), ("10.0.0.1 is gone", "10.0.0.1 is gone"), (": open it:", "open it")),
        *(("3.5 mm plug", "3.5 mm plug"), ("0.5 A fuse", "0.5 A fuse"), ("404: not found", "404: not found")),
        *(("snake_case_name", "snake_case_name"), ("24.04 upgrade", "24.04 upgrade"), ("2.1 Über", "Über")),
    ],
)
def test_a_heading_loses_its_count_and_no_other_number(heading: str, told: str) -> None:
    (unit,) = RuleExtractor().extract(Document("a.md", f"# T\n\n## {heading}\n\nDo this.\n")).units
    assert unit.header == f"T: {told}: Do this"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Restart kube-proxy.\n", "kube-proxy"),
        ("Restart it.\n", "kube proxy"),
        ("See x/kube-proxy.md.\n", "kube proxy"),
    ],
)
def test_a_file_s_name_is_kept_where_the_text_says_it_so(text: str, title: str) -> None:
    assert RuleExtractor().extract(Document("docs/kube-proxy.md", text)).units[0].title == title
