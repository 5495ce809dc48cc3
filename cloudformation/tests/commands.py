"""Commands on PATH that write down how they were called and answer as told."""

import os
import subprocess
from pathlib import Path

from conftest import FOLDER


class Commands:
    """A folder of stubs; everything else comes from the system."""

    def __init__(self, folder: Path):
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.log = folder / "calls"
        self.log.touch()
        self.temporary = folder / "tmp"
        self.temporary.mkdir()

    def stub(self, name: str, body: str) -> None:
        """Bash; "$*" is the arguments, "$LOG" the log."""
        file = self.bin / name
        file.write_text(f'#!/usr/bin/env bash\nLOG={self.log}\necho "{name} $*" >>"$LOG"\n{body}\n')
        file.chmod(0o755)

    def run(self, script: str, *arguments: str, path: Path | None = None) -> subprocess.CompletedProcess:
        return subprocess.run(
            [FOLDER / script, *arguments],
            env={
                "PATH": str(path or f"{self.bin}:{os.environ['PATH']}"),
                "HOME": str(self.temporary),
                "TMPDIR": str(self.temporary),
                "TZ": "Asia/Tokyo",
            },
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def calls(self) -> list:
        return self.log.read_text().splitlines()
