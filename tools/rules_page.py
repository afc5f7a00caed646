"""The page of the rules that `thread-rag lint` knows, for `tools/reference.py`."""

from __future__ import annotations

from thread_lint import RULES, Rule

INTRODUCTION = """\
# Lint guides

`pip install "thread-rag[cli,lint]"`

```sh
thread-rag lint guides                                         # what is wrong, with the lines
thread-rag lint guides --statistics                            # how often each rule is broken
thread-rag lint guides --select TR2 --ignore moved-link        # some rules, by code, name or beginning
thread-rag lint guides --write-baseline known.json             # begin with what is new from now on ...
thread-rag lint guides --baseline known.json                   # ... and report that alone
thread-rag lint --explain TR401                                # what a rule means
```

```text
guides/disk.md:12: TR201 dangling-link: this guide has no section #what-may-go; correct the link, or add the section
  12 | 1. Free some space, see [what may go](#what-may-go).
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
```

It reads what a walk reads: the units of the guides and where their links lead. No model is asked, nothing of a guide is
run, and the time grows with the guides' text alone. The exit code is 0 where nothing is found, 3
where something is reported, 1 where the run failed and 2 where it was typed wrong. From Python,
`thread_lint.check(documents)` gives the findings as values, and so does `check(shelf)` of the guides in a store.

## Leave something out

A comment disables rules, by code or name, several with commas: for the line or the code block below it, for its own
line, or for the whole guide. In MDX it is written `{/* ... */}`. One that disables nothing is reported.

```markdown
<!-- thread-rag-disable-next-line TR201 -->
See [the draft](draft.md).

See [the draft](draft.md). <!-- thread-rag-disable-line dangling-link -->

<!-- thread-rag-disable-file TR401, long-step -->
```

For a project, `.thread-lint.toml` above the guides, or `[tool.thread-lint]` in a `pyproject.toml`; the nearest one is
read, and the options of the command take the place of what it says:

```toml
ignore = ["long-step"]
exclude = ["archive/*"]
```

A baseline knows a finding by its rule, its guide and the words of its lines, so it stays where lines move.

## In CI

`thread-rag lint guides --format github` writes annotations, `--format sarif` SARIF 2.1.0 for code scanning, `--format
json` a line for each finding. The repository is an action that uploads SARIF, and has a hook for
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

Pages in HTML and reStructuredText are checked as the Markdown that is made of them (`thread-rag text FILE` shows it):
SARIF and annotations name the file without lines.

## Rules

A rule is looked for by itself where at least nine of ten findings in other people's guides were right; TR202 found
nothing there, and stays, for numbers alone show it. `--select TR` looks for all. That is why a condition without its
opposite in running text, a guide that simply ends, a section that no link leads to and a term that nobody explains
are not reported at all: most of them are no faults.

The rules were mended on 1,798 guides of 9 repositories, and then judged on 12,942 guides of 27 others: what was found
there, how many of the findings, drawn evenly from the repositories, were judged with the lines around them, and how
many of those were right. TR103 was narrowed on some of these, so its figure flatters it; TR302 and TR401 were mended
once more, and are judged on the guides that came after.

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
