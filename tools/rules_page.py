"""The page of the rules that `thread-rag lint` knows, for `tools/reference.py`."""

from __future__ import annotations

from thread_lint import RULES, Rule

INTRODUCTION = """\
# Lint guides

`pip install "thread-rag[cli,lint]"`

```sh
thread-rag lint guides                                         # mistakes, with their lines
thread-rag lint guides --statistics                            # how often each rule is broken
thread-rag lint guides --select TR2 --ignore moved-link        # some rules, by code, name or prefix
thread-rag lint guides --write-baseline known.json             # save the known mistakes ...
thread-rag lint guides --baseline known.json                   # ... and report only new ones
thread-rag lint --explain TR401                                # what a rule means
```

```text
guides/disk.md:12: TR201 dangling-link: this guide has no section #what-may-go; correct the link, or add the section
  12 | 1. Free some space, see [what may go](#what-may-go).
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
```

The linter reads what a walk reads: the guides' units, and where their links lead. It asks no model and runs nothing
from a guide, and its time grows linearly with their text. Exit codes: 0 if it finds nothing, 3 if it reports something,
1 if the run failed, 2 for a usage error. In Python, `thread_lint.check(documents)` returns the findings as values;
`check(shelf)` does so for the guides in a store.

## Leave something out

A comment disables rules by code or name, separated by commas: for the next line or code block, for its own line, or for
the whole guide. In MDX, write `{/* ... */}`. A comment that disables nothing is reported.

```markdown
<!-- thread-rag-disable-next-line TR201 -->
See [the draft](draft.md).

See [the draft](draft.md). <!-- thread-rag-disable-line dangling-link -->

<!-- thread-rag-disable-file TR401, long-step -->
```

For a project, use `.thread-lint.toml` above the guides, or `[tool.thread-lint]` in a `pyproject.toml`. The nearest one
is read, and command options override it:

```toml
ignore = ["long-step"]
exclude = ["archive/*"]
```

A baseline identifies a finding by its rule, its guide and the words of its lines, so it survives when lines move.

## In CI

`thread-rag lint guides --format github` writes annotations, `--format sarif` SARIF 2.1.0 for code scanning, and
`--format json` one line per finding. The repository is also a GitHub action that uploads SARIF, and has a hook for
[pre-commit](https://pre-commit.com):

```yaml
permissions: { contents: read, security-events: write }
steps:
  - uses: actions/checkout@v6
  - uses: thread-rag/thread-rag@v0.1.0
    with: { path: guides }
```

```yaml
repos:
  - repo: https://github.com/thread-rag/thread-rag
    rev: v0.1.0
    hooks: [{ id: thread-rag-lint, args: [guides] }]
```

HTML and reStructuredText are checked as the Markdown that they are converted to (`thread-rag text FILE` shows it).
SARIF and annotations then name the file without lines.

## Rules

A rule is on by default if at least nine of ten findings in other people's guides were right. TR202 found nothing there
and is on anyway, because only the numbers can show this mistake. `--select TR` turns on all rules. Some things are not
reported at all, because most of them are not mistakes: a condition in running text without its opposite, a guide that
simply ends, a section without links to it, a term that nobody explains.

We developed the rules on 1,798 guides of 9 repositories, then judged them on 12,942 guides of 27 others. The table
shows how many findings there were, how many we judged with the lines around them (sampled evenly from the
repositories), and how many of those were right. TR103 was narrowed on some of these, so its figure flatters it. TR302
and TR401 were improved once more, and judged on the guides that came after.

| Rule | Found | Judged | Right |
|---|---:|---:|---:|
| TR101 | 0 | | |
| TR102 | 775 | 30 | 20 |
| TR103 | 18 | 18 | 18 |
| TR104 | 85 | 15 | 1 |
| TR105 | 9 | 9 | 0 |
| TR106 | 253 | 15 | 4 |
| TR201 | 860 | 15 | 14 |
| TR202 | 0 | | |
| TR203 | 21 | 15 | 11 |
| TR204 | 68 | 15 | 15 |
| TR301 | 51 | 9 | 0 |
| TR302 | 185 | 15 | 14 |
| TR401 | 205 | 30 | 23 |
| TR402 | 39 | 9 | 2 |
| TR501 | 33 | 13 | 8 |
"""


def page() -> str:
    """The page, with a table of the rules and a section for each."""
    rows = [f"| [{rule.code}](#{rule.anchor}) | `{rule.name}` | {_weight(rule)} | {rule.summary} |" for rule in RULES]
    table = "\n".join(["| Code | Name | Severity | Reported |", "|---|---|---|---|", *rows])
    sections = (f"### {rule.code} {rule.name}\n\n{rule.page()}" for rule in RULES)
    return "\n".join([INTRODUCTION, table, "", *sections])


def _weight(rule: Rule) -> str:
    return rule.severity.value if rule.is_usual else f"{rule.severity.value}, if selected"
