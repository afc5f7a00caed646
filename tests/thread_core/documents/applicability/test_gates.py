import pytest

from thread_core.documents.applicability.gates import gate_of
from thread_core.retrieval.prerequisites import decidable

GATES = """
OCP 4.16 and later | From an agent before 2.3 | In OCP 4.16 or newer | Kubernetes >= 1.25 | **Office 2013:**
Red Hat OpenShift Container Platform 4.12 and later | Access 2007 and later versions | Microsoft 365 | Windows
On Windows | For Windows 11 users | Linux only | For Mac users | macOS 14 and later | iOS and Android
Outlook 2016 for Mac | On the web | 64-bit | 64-bit Windows | Windows PC | Using a Mac | If you are on Windows
If you have a Mac | If you're using Windows | Android phones and tablets | Ubuntu 22.04 LTS | v2
Windows 10, Windows 8.1, and Windows 8 | Office 2010, 2013 and 2016 | Any OCP 4.18 or greater cluster
Up to version 3 | OCP between 4.12 and 4.14 | OCP >= 4.13, < 4.16 | OCP 4.14.0-rc.1 and later | v1.29.3+k3s1
Windows 11, version 22H2 | Windows Server 2012 R2 | OpenShift 4.x | Admins only | For workspace owners
"""
NO_GATES = """
Mitigation | Method 1 | 2.1 Journal | Cause 1: the disk | Day 2 | Error 404 | HTTP 500 | Event ID 1001 | KB 3200416
Windows Firewall | Upgrade to Windows 11 | Install Python 3.11 or later | Reports of node 3 | Older versions
If the endpoint returns 401/403 | Use Windows 11 | Windows XP explained | Valve 3 | USB 3.0 | HTTP/2 | TLS 1.2
TLS 1.2 or later | Port 8443 | RAID 10 | Type 2 | 10.0.3.4 | Room 4.2 | RFC 2119 | March 2024 | Newer than 3
Administrators | For example | Option 1: Restart | Windows (the kind of glass) | Ab Version 4.2
Jusqu'à la version 4.1 | Windows 10 (oder höher) | Windows 10 (以降) | Windows (nicht Server) | Turn on Windows
Print on both sides | Dependencies on Windows Installer
The role op is held by the person who reads this on Windows
"""


def listed(text: str) -> list[str]:
    return text.strip().replace("\n", " | ").split(" | ")


@pytest.mark.parametrize("heading", listed(GATES))
def test_a_heading_is_a_gate(heading: str) -> None:
    assert gate_of(heading)
    assert decidable(heading)


@pytest.mark.parametrize("heading", [*listed(NO_GATES), "", "x" * 100_000, "1" * 100_000])
def test_a_heading_is_no_gate(heading: str) -> None:
    assert not gate_of(heading)


@pytest.mark.parametrize(
    ("heading", "gate"),
    [
        ("3. Windows", "Windows"),
        ("2.1 Windows", "Windows"),
        ("Option 1: Windows", "Windows"),
        ("Method 1 (Windows)", "Windows"),
        ("Step 2: OCP 4.16 and later", "OCP 4.16 and later"),
        ("macOS 13 (Ventura)", "macOS 13"),
        ("Linux (Debian)", "Linux (Debian)"),
        ("Clear the list (Till 4.2 only)", "Till 4.2 only"),
        ("4.16 and later", "4.16 and later"),
        ("Install the reader on a Mac", "on a Mac"),
        ("Step 2: Update it on OCP 4.16 and later", "on OCP 4.16 and later"),
        ("Restart", ""),
        ("Windows 10 (or later)", "Windows 10 or later"),
        ("Windows 10 (Pro)", "Windows 10"),
        ("Maria DB < 10.4 (older installations)", "Maria DB < 10.4"),
        ("Fail over (DBA only)", "DBA only"),
    ],
)
def test_a_gate_is_parted_from_what_stands_beside_it(heading: str, gate: str) -> None:
    assert gate_of(heading) == gate
