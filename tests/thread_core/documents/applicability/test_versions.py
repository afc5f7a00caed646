import pytest

from thread_core.documents.applicability.versions import Range, mentioned, version_range


@pytest.mark.parametrize(
    ("phrase", "versions"),
    [
        ("Agent 2.3 and later", Range("agent", low=(2, 3))),
        *(("OpenShift 4.10 or newer", Range("openshift", low=(4, 10))), ("version 4.14+", Range("", low=(4, 14)))),
        ("At least Java 11", Range("java", low=(11,))),
        ("Access 2007 and later versions", Range("access", low=(2007,))),
        ("4.15 and earlier", Range("", high=(4, 15))),
        ("Before OCP 4.16", Range("ocp", high=(4, 16), with_high=False)),
        ("an agent before 2.3", Range("agent", high=(2, 3), with_high=False)),
        ("newer than 4.16", Range("", low=(4, 16), with_low=False)),
        ("Windows 10, Windows 8.1, and Windows 8", Range("windows", (8,), (10,))),
        *(("OCP 4.14 through 4.16", Range("ocp", (4, 14), (4, 16))), ("v4.5.x", Range("", (4, 5), (4, 5)))),
        *(("OCP 4.16, or later", Range("ocp", low=(4, 16))), ("OCP 4.12 – 4.14", Range("ocp", (4, 12), (4, 14)))),
        ("OCP between 4.12 and 4.14", Range("ocp", (4, 12), (4, 14))),
        ("OCP >= 4.13, < 4.16", Range("ocp", (4, 13), (4, 16), with_high=False)),
        (">=4.13,<=4.16", Range("", (4, 13), (4, 16))),
        ("> 4.13 and < 4.16", Range("", (4, 13), (4, 16), with_high=False, with_low=False)),
        ("OCP 4.13 and later, but before 4.16", Range("ocp", (4, 13), (4, 16), with_high=False)),
        ("Office 2019/2016", Range("office", (2016,), (2019,))),
        ("OCP 4.14.0-rc.1 and later", Range("ocp", low=(4, 14, 0, -1))),
        ("Agent 2.3.1-beta2", Range("agent", (2, 3, 1, -1), (2, 3, 1, -1))),
        ("v1.29.3+k3s1", Range("", (1, 29, 3), (1, 29, 3))),
        ("Kubernetes v1.27.3-gke.100 or later", Range("kubernetes", low=(1, 27, 3))),
        ("Windows 10, version 22H2", Range("windows", (10, 22, 2), (10, 22, 2))),
        ("Windows 10 21H2 and later", Range("windows", low=(10, 21, 2))),
        *(("Windows Server 2012 R2", Range("windows server", (2012, 2), (2012, 2))), ("IPv6", None), ("SHA-256", None)),
        *(("ext4", None), ("port 8443", None), ("RAID 10", None), ("10.0.3.4", None), ("Step 2 and 3", None)),
        *(("error 404", None), ("1.5 GB of free space", None), ("You hold the role db-operator", None), ("", None)),
        ("from 4.16 to 4.14", None),
    ],
)
def test_a_phrase_admits_versions(phrase: str, versions: Range | None) -> None:
    assert version_range(phrase) == versions


@pytest.mark.parametrize(
    ("one", "other", "apart", "within"),
    [
        (Range("", low=(4, 16)), Range("", high=(4, 16), with_high=False), True, False),
        (Range("", low=(4, 16)), Range("", high=(4, 16)), False, False),
        (Range("", low=(4, 16), with_low=False), Range("", high=(4, 16)), True, False),
        (Range("", low=(4, 16)), Range("", low=(4, 14)), False, True),
        (Range("", high=(4, 14)), Range("", high=(4, 16)), False, True),
        (Range("", (4, 14), (4, 15)), Range("", low=(4, 14)), False, True),
        (Range(""), Range(""), False, True),
        (Range("", (4, 14, 0, -1), (4, 14, 0, -1)), Range("", low=(4, 14, 0)), True, False),
        (Range("", (4, 14, 0, -1), (4, 14, 0, -1)), Range("", low=(4, 14)), False, True),
        (Range("", (4, 14, 0, -1), (4, 14, 0, -1)), Range("", high=(4, 14, 0), with_high=False), False, True),
        (Range("", (10, 21, 2), (10, 21, 2)), Range("", (10, 22, 2), (10, 22, 2)), True, False),
        (Range("", (10,), (10,)), Range("", (10, 22, 2), (10, 22, 2)), False, False),
    ],
)
def test_ranges_exclude_or_hold_each_other(one: Range, other: Range, apart: bool, within: bool) -> None:
    assert (one.apart(other), other.apart(one), one.within(other)) == (apart, apart, within)


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        *(("We run 4.14.0-rc.1", ["4.14.0-rc.1"]), ("Windows 10 22H2 on two machines", ["windows 10 22H2"])),
        *(("HTTP/2 over TLS 1.3", ["tls 1.3"]), ("10.0.3.4 answers on port 8443", [])),
        *(("not on OCP 4.16, but OCP 4.14", ["ocp 4.14"]), ("we don\u2019t run agent 2.4", [])),
        *(("we are not running agent 2.4 yet", []), ("we never used agent 2.4", [])),
        ("it is not running on agent 2.4", ["agent 2.4"]),
    ],
)
def test_a_person_mentions_versions(text: str, mentions: list[str]) -> None:
    assert [words for words, _ in mentioned(text)] == mentions
