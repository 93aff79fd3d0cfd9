"""A real PostgreSQL for tests: a new cluster on a free port of the loopback, gone when the test run ends."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from support.needs import cannot_run
from support.ports import free_port

USER = "floe"
_NUMBERS = count(1)
_QUICK = "fsync=off", "synchronous_commit=off", "full_page_writes=off"  # a test outlives no power failure
_SETTINGS = ("listen_addresses=127.0.0.1", "max_connections=100", "shared_buffers=32MB")


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """Where it listens; every user may do everything without a password."""

    port: int
    programs: Path = field(repr=False)

    def url(self, database: str = "postgres", user: str = USER) -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"floe_{os.getpid()}_{next(_NUMBERS)}"
        self.run_sql(f"CREATE DATABASE {name}")
        return self.url(name)

    def run_sql(self, statement: str, url: str = "") -> str:
        """What psql prints for a statement, without decoration."""
        command = [str(self.programs / "psql"), "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", statement]
        done = subprocess.run([*command, url or self.url()], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@contextmanager
def postgres_server(*, quick: bool = True) -> Iterator[PostgresServer]:
    """Start a server and stop it afterwards; without PostgreSQL on the machine the test is a listed skip."""
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="floe-postgres-"))
    account = _account(folder)
    try:
        yield from _served(programs, folder, account, (*_SETTINGS, *(_QUICK if quick else ())))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _served(programs: Path, folder: Path, account: str | None, settings: tuple[str, ...]) -> Iterator[PostgresServer]:
    cluster, log = folder / "cluster", folder / "log"
    _run(account, programs / "initdb", "-D", cluster, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
    port = free_port()
    options = " ".join(f"-c {one}" for one in (*settings, f"port={port}", f"unix_socket_directories={folder}"))
    control = programs / "pg_ctl"
    try:
        _run(account, control, "-D", cluster, "-l", log, "-w", "-t", "60", "-o", options, "start")
        yield PostgresServer(port, programs)
    finally:
        _run(account, control, "-D", cluster, "-m", "immediate", "-w", "stop", check=False)


def _programs() -> Path:
    """Debian keeps the server's programs out of PATH, in a folder for each version; the newest is taken."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = str(debian[-1]) if debian else shutil.which("initdb")
    if found is None:
        cannot_run("there is no PostgreSQL server on this machine; scripts/services installs it")
    return Path(found).resolve().parent


def _account(folder: Path) -> str | None:
    """PostgreSQL refuses to run as root; Debian's package brings an account for it."""
    if os.geteuid() != 0:
        return None
    try:
        owner = pwd.getpwnam("postgres")
    except KeyError:
        cannot_run("PostgreSQL does not run as root, and there is no account postgres")
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    return "postgres"


def _run(account: str | None, *command: object, check: bool = True) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        user=account,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # a pipe would be inherited by the server and never close
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0 or not check, f"{command[0]} ended with {done.returncode}"
