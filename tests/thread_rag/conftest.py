from functools import cache
from pathlib import Path

import pytest
import typer.testing

# Typer builds the command anew for each call, which takes longer than many a call.
typer.testing._get_command = cache(typer.testing._get_command)

DISK = """# Disk full

A node runs out of space.

## Free space

1. Look at the disk:

   ```sh
   df -h
   ```

   If the journal is large, go to step 2. If nothing is large, see [the volume guide](volume.md).

2. Vacuum the journal:

   ```sh
   journalctl --vacuum-size=200M
   ```

   If there is room again, the issue is resolved.
"""
VOLUME = """# Extend the volume

1. Ask the storage team for 10 GB, as [the form](forms/storage.md) says.
2. Grow the file system with `growfs /data`.
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where a store may be made."""
    return tmp_path / "store"


@pytest.fixture
def guides(tmp_path: Path) -> Path:
    """A folder of two guides; one link leads from one to the other, one leads nowhere."""
    folder = tmp_path / "guides"
    folder.mkdir()
    (folder / "disk.md").write_text(DISK)
    (folder / "volume.md").write_text(VOLUME)
    return folder
