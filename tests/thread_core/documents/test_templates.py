from collections.abc import Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.thread_core.test_properties import documents
from thread_core import LogicUnit, Place, Span
from thread_core.documents.templates import Slot, Template, fill, is_safe, marked, placeholder, template_of, values_in


def unit(body: str, parameters: Mapping[str, str], header: str = "Drain") -> LogicUnit:
    span = Span("a.md", 1, 1)
    return LogicUnit(
        id="",
        document_id="a.md",
        place=Place(),
        type="step",
        header=header,
        body=body,
        parameters=parameters,
        spans=(span,),
        body_spans=(span,),
    )


def in_general(template: Template) -> str:
    return template.fill({slot.name: placeholder(slot.name) for slot in template.slots})


NODE = unit("Drain web-3: `drain web-3 --namespace prod`.", {"node-name": "web-3", "namespace": "prod"})


class TestMarked:
    @pytest.mark.parametrize(
        ("body", "parameters"),
        [
            ("`drain <node-name>`", {"<node-name>": ""}),
            ("```\ndrain $NODE ${NODE} $NODE_POOL\n```", {"$NODE": "", "${NODE}": "", "$NODE_POOL": ""}),
            ("`login YOUR_TOKEN your-cluster`", {"YOUR_TOKEN": "", "your-cluster": ""}),
            ("`since <hours>h m1.<service>.example <file name>`", {"<hours>": "", "<service>": "", "<file name>": ""}),
            (
                "`ssh <ユーザー名>@<größe> <nom d'utilisateur>`",
                dict.fromkeys(("<ユーザー名>", "<größe>", "<nom d'utilisateur>"), ""),
            ),
            ("`open <port>`. The default of `<port>` is 8443.", {"<port>": "8443"}),
            ("`open <port>`. The default for <port> is `api.example`.", {"<port>": "api.example"}),
            ("`open <port>`. The default of `<host>` is `a`.", {"<port>": ""}),
        ],
    )
    def test_what_the_code_marks_is_a_parameter(self, body: str, parameters: dict[str, str]) -> None:
        assert marked(body) == parameters

    @pytest.mark.parametrize(
        "body",
        [
            "Drain <node-name>, your-node or $NODE.",
            "`<b>` `<br>` `#include <stdio.h>` `List<String>` `<none>`",
            "```html\n<custom-tag>\n```",
            "```\n<config>\n</config>\n```",
            "`{{ .Values.node }} {node} $1 $node $PATH`",
            "```\nexport NODE=web-3\ndrain $NODE\n```",
            "```\nfor NODE in a b; do drain ${NODE}; done\nread -r POOL; drain $POOL\n```",
            "`cat < in > out` `a << EOF`",
            "`behaviour-our-own`",
            "",
        ],
    )
    def test_what_only_looks_so_is_none(self, body: str) -> None:
        assert marked(body) == {}


class TestTemplate:
    def test_a_default_in_code_becomes_a_placeholder(self) -> None:
        template = template_of(NODE)
        assert in_general(template) == "Drain web-3: `drain <node-name> --namespace <namespace>`."
        assert template.slots == (Slot("node-name", 20, 25), Slot("namespace", 38, 42))

    @pytest.mark.parametrize(
        ("body", "parameters", "text"),
        [
            ("`a web-32 web-3-b xweb-3 web-3.example n.web-3 web-3`", {"n": "web-3"},
             "`a web-32 web-3-b xweb-3 web-3.example n.web-3 <n>`"),
            ("`web-3:80 /data/web-3/x --node=web-3;`", {"n": "web-3"}, "`<n>:80 /data/<n>/x --node=<n>;`"),
            ("`drain <node> <nodes> <node>h`", {"node": "", "x": ""}, "`drain <node> <nodes> <node>h`"),
            ("`drain $NS $NS.local ${NS} $NS_2`", {"NS": "prod"}, "`drain <NS> <NS>.local <NS> $NS_2`"),
            ("`web-3 web-3:80`", {"node": "web-3", "host": "web-3:80"}, "`<node> <host>`"),
            ("`scale 1 1`", {"from": "1", "to": "1"}, "`scale 1 1`"),
            ("`drain node web-3`", {"node": "web-3"}, "`drain node <node>`"),
            ("> ```\n> drain a\n> stop a\n> ```\na", {"n": "a"}, "> ```\n> drain <n>\n> stop <n>\n> ```\na"),
            ("a b", {"n": "a"}, "a b"),
            ("`a`", {}, "`a`"),
        ],
    )  # fmt: skip
    def test_only_whole_tokens_of_code_are_replaced(self, body: str, parameters: dict[str, str], text: str) -> None:
        assert in_general(template_of(unit(body, parameters))) == text

    def test_a_placeholder_of_the_document_stays_one(self) -> None:
        found = template_of(unit("`drain <node> ${NS}`", {"<node>": "", "NS": "prod"}))
        assert found.slots == (Slot("<node>", 7, 13), Slot("NS", 14, 19))
        assert in_general(found) == "`drain <node> <NS>`"


class TestFill:
    def test_values_stand_where_the_defaults_stood(self) -> None:
        assert fill(NODE, {"node-name": "db-1", "pod": "x"}) == "Drain web-3: `drain db-1 --namespace prod`."

    def test_a_stated_default_fills_a_placeholder(self) -> None:
        body = "`open <port> on <node>`"
        assert fill(unit(body, {"<port>": "8443", "<node>": ""}), values_in(unit(body, {"<port>": "8443"}), [])) == (
            "`open 8443 on <node>`"
        )

    @pytest.mark.parametrize(
        "value",
        [
            *("a;b", "$(id)", "`id`", "a b", "a\nb", "'a", 'a"', "a|b", "a&b", "a>b", "a\\", "-rf", "--all", ""),
            *("x" * 129, "$HOME", "~root", "a\u2028b", "{a,b}", "*", "a#b", "!x", "=x", ",a", "a\x00", "%(x)"),
        ],
    )
    def test_a_value_that_a_shell_might_read_is_refused(self, value: str) -> None:
        assert not is_safe(value)
        assert fill(NODE, {"node-name": value}) == NODE.body

    @pytest.mark.parametrize("value", ["web-3", "10.0.0.1:8443", "/data/x_1", "a@b.example", "4.14", "50%", "büro"])
    def test_a_plain_word_is_taken(self, value: str) -> None:
        assert fill(unit("`a b`", {"x": "b"}), {"x": value}) == f"`a {value}`"


class TestValues:
    @pytest.mark.parametrize(
        ("said", "node"),
        [
            *(("The node name: `db-1`.", "db-1"), ("node=db", "db"), ("NODE_NAME=db", "db")),
            *(("drain --node-name db", "db"), ("drain --node=db-1, please", "db-1"), ("the node is called db", "db")),
            *(("The node is db-1.example.", "db-1.example"), ("how do I drain node db-1?", "db-1")),
            *(("node: db-1 ... no, node: db-2", "db-2"), ("node: db, on node db-1", "db-1")),
            *(("the node is down", "web-3"), ("the node read-only again", "web-3"), ("it happens on node db", "web-3")),
            *(("a node that hangs", "web-3"), ("supernode: x", "web-3"), ("", "web-3")),
            *(('the node is "db-1".', "db-1"), ("it says 'node: db', and", "db"), ('{"node": null}', "web-3")),
            *(('{"cluster":"a","node":"db-1"}', "db-1"), ("{'node-name': 'db', 'pod': None}", "db")),
            *(("a{node=db,pod=x}", "db"), ("**Node:** db", "db"), ("*node:* `db-1`", "db-1")),
        ],
    )
    def test_a_value_is_what_was_said_of_the_parameter(self, said: str, node: str) -> None:
        assert values_in(NODE, [said])["node-name"] == node

    @pytest.mark.parametrize(
        "said",
        [
            *("node: $(id)", "node: db;rm", "node=`id`", "node=a|b", "node=a,b", 'node: "a","b"', "node is db-1,db-2"),
            *('node="old data"', "node='x; rm -rf /'", 'node="/a"/b', 'node=db"1"'),
            'the node "db 1" hangs',
        ],
    )
    def test_of_what_is_more_than_a_plain_word_no_part_is_taken(self, said: str) -> None:
        assert values_in(NODE, ["node: db-9", said])["node-name"] == ""

    def test_what_was_said_last_counts(self) -> None:
        assert values_in(NODE, ["--namespace test, node db-1", "namespace: live"]) == {
            "node-name": "db-1",
            "namespace": "live",
        }

    def test_a_name_may_have_any_letters(self) -> None:
        asked = unit("`ssh <ユーザー名>@<größe>`", {"<ユーザー名>": "", "<größe>": ""})
        said = values_in(asked, ["ユーザー名: tanaka, Größe=5"])
        assert fill(asked, said) == "`ssh tanaka@5`"

    def test_placeholders_as_written_are_names_too(self) -> None:
        body = "`drain <old-primary> $POD_NAME your-pool`"
        found = values_in(unit(body, marked(body)), ["old primary is m-1, pod: api, the pool is called b"])
        assert fill(unit(body, marked(body)), found) == "`drain m-1 api b`"


tokens = st.text(st.sampled_from("ab1-.$<>{}` \n"), min_size=1, max_size=5)


@given(documents | st.lists(tokens, max_size=12).map("`".join), st.dictionaries(tokens, tokens, max_size=3))
def test_filling_with_nothing_or_with_what_stands_there_gives_the_verbatim_body(
    body: str, parameters: dict[str, str]
) -> None:
    one = unit(body, parameters)
    template = template_of(one)
    assert fill(one, {}) == template.fill({}) == body
    literal = unit(body, {name: default for name, default in parameters.items() if default not in marked(body)})
    assert all(slot.name in parameters for slot in template.slots)
    if all(name not in body for name in literal.parameters):
        assert fill(literal, literal.parameters) == body


pieces = st.sampled_from(["`", "`drain <node>`", "```\n", "$NODE ", "${NODE}", "<node>", "<b>", "{node}", " -n ", "\n"])


@given(st.lists(pieces, max_size=12).map("".join))
def test_what_any_text_marks_has_a_slot(text: str) -> None:
    found = marked(text)
    assume(found)
    assert {slot.name for slot in template_of(unit(text, found)).slots} <= found.keys()
    assert fill(unit(text, found), {}) == text


@given(
    st.lists(st.sampled_from([*"ab1-.;|&$\n'\"\\<>(){}*?!~#` ", "web-4"]), max_size=4).map("".join)
    | st.text(max_size=60)
)
def test_nothing_that_is_said_puts_a_sign_of_the_shell_into_code(said: str) -> None:
    filled = fill(NODE, values_in(NODE, [f"node: {said}", f"--namespace {said}", said]))
    assert filled.count("`") == 2
    assert len(filled.split()) == len(NODE.body.split())
    assert not set(filled) & set(";|&$\n'\"\\<>(){}*?!~#")
