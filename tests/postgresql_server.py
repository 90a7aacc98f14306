"""PostgreSQL servers of our own: in a folder, for as long as a test or a measurement lasts."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LOCAL = "127.0.0.1"


@cache
def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return found[-1] if found else Path(shutil.which("initdb") or "").parent


@cache
def _owner() -> pwd.struct_passwd | None:
    """Return who runs the servers instead of root, as which PostgreSQL refuses to run."""
    return pwd.getpwnam("postgres") if os.getuid() == 0 else None


def give_folder(folder: Path) -> None:
    """Give a folder, with all that is in it, to the user who runs the servers."""
    owner = _owner()
    for path in (folder, *folder.rglob("*")) if owner else ():
        os.chown(path, owner.pw_uid, owner.pw_gid)


def run_program(folder: Path, name: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs in a folder, as the user who runs the servers."""
    owner = _owner()
    subprocess.run(
        (f"{_programs()}/{name}", *arguments),
        check=True,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        user=owner.pw_uid if owner else None,
        group=owner.pw_gid if owner else None,
        extra_groups=[] if owner else None,
    )


@dataclass(frozen=True)
class PostgresqlServer:
    """A server with its data, log and socket in a folder; `port` 0 is to listen on no port."""

    folder: Path
    port: int = 0

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def create(self) -> None:
        """Create an empty cluster; anybody on this machine may do anything in it."""
        arguments = ("-U", "postgres", "-A", "trust", "-N", "-E", "UTF8")
        run_program(self.folder, "initdb", "-D", str(self.data), *arguments)

    def copy_running(self, primary: "PostgresqlServer", name: str) -> None:
        """Become a standby of a running server, under a name."""
        source = f"host={LOCAL} port={primary.port} user=postgres application_name={name}"
        arguments = ("-D", str(self.data), "-d", source, "-R", "-X", "stream", "-c", "fast", "-N")
        run_program(self.folder, "pg_basebackup", *arguments)

    def start(self, settings: Mapping[str, str]) -> None:
        """Start it, and wait until it answers."""
        address = LOCAL if self.port else ""
        given = {"listen_addresses": address} | ({"port": str(self.port)} if self.port else {})
        options = " ".join(f"-c {name}={value}" for name, value in (given | dict(settings)).items())
        log = str(self.folder / "log")
        self._control("-l", log, "-o", f"-k {self.folder} {options}", "start")

    def promote(self) -> None:
        """Let a standby take changes, and wait until it does."""
        self._control("promote")

    def stop(self, mode: str) -> None:
        """Stop it: 'fast' sends the standbys all it has, 'immediate' is a crash."""
        self._control("-m", mode, "stop")

    def send(self, number: signal.Signals) -> None:
        """Send a signal to all of its processes at once."""
        server = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        if Path(f"/proc/{server}/cwd").resolve() != self.data.resolve():
            # The file is that of a server which was killed.
            return
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        for process in (server, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def kill(self) -> None:
        """End it at once if it still runs, also if it is frozen."""
        with suppress(FileNotFoundError):
            self.send(signal.SIGKILL)

    def _control(self, *arguments: str) -> None:
        run_program(self.folder, "pg_ctl", "-D", str(self.data), "-w", "-s", *arguments)
