"""OpenStack Swift on this machine, as one device without replicas."""

import getpass
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.architecture.tree import ROOT
from tests.failover.clients import call
from tests.serving import free_port

INSTALLED = ROOT / ".test" / "swift"
RELEASE = "swift==2.38.3"
ACCESS_KEY, SECRET_KEY = "test:tester", "testing"
MAX_SECONDS_TO_START = 60

_COMMON = """[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
user = {user}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
workers = 0
log_address = {folder}/none
log_level = ERROR
"""
_STORAGE = """[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""
_PROXY = """[pipeline:main]
pipeline = catch_errors healthcheck listing_formats s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:s3api]
use = egg:swift#s3api
location = {region}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
"""
REGION = "eu-west-2"


@dataclass(frozen=True)
class Swift:
    """A running server; `port` is that of its S3 API."""

    port: int

    def settings(self, port: int | None = None) -> dict[str, str]:
        """Return the variables that name it, or a proxy before it."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port or self.port}",
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "AWS_REGION": REGION,
        }


def install() -> Path:
    """Install it from PyPI into a folder of its own, once; return its programs."""
    marker = INSTALLED / RELEASE
    if not marker.exists():
        print(f"Installing {RELEASE} …", file=sys.stderr, flush=True)
        venv.create(INSTALLED, clear=True, with_pip=True)
        subprocess.run(
            [INSTALLED / "bin" / "pip", "install", "--quiet", "setuptools<81", RELEASE], check=True
        )
        marker.touch()
    return INSTALLED / "bin"


@contextmanager
def running_swift() -> Iterator[Swift]:
    """Run the four servers that an object passes, on empty disks."""
    programs = install()
    # Its files have extended attributes, which not every folder in memory has.
    folder = Path(tempfile.mkdtemp(prefix="qm-swift-"))
    (folder / "swift.conf").write_text("[swift-hash]\nswift_hash_path_suffix = for-tests\n")
    (folder / "devices" / "d1").mkdir(parents=True)
    ports = {kind: free_port() for kind in ("account", "container", "object", "proxy")}
    try:
        with ExitStack() as stack:
            for kind, port in ports.items():
                is_proxy = kind == "proxy"
                if not is_proxy:
                    _make_ring(programs, folder, kind, port)
                configuration = folder / f"{kind}.conf"
                configuration.write_text(
                    (_COMMON + (_PROXY if is_proxy else _STORAGE)).format(
                        port=port, user=getpass.getuser(), folder=folder, kind=kind, region=REGION
                    )
                )
                log = stack.enter_context((folder / f"{kind}.log").open("w"))
                server = subprocess.Popen(
                    [programs / f"swift-{kind}-server", configuration], stdout=log, stderr=log
                )
                stack.callback(server.wait, 20)
                stack.callback(server.terminate)
            _wait_for(ports["proxy"], folder)
            yield Swift(ports["proxy"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_ring(programs: Path, folder: Path, kind: str, port: int) -> None:
    builder = folder / f"{kind}.builder"
    device = f"r1z1-127.0.0.1:{port}/d1"
    for command in (("create", "4", "1", "1"), ("add", device, "1"), ("rebalance",)):
        subprocess.run(
            [programs / "swift-ring-builder", builder, *command],
            check=True,
            stdout=subprocess.DEVNULL,
        )


def _wait_for(port: int, folder: Path) -> None:
    ends = time.monotonic() + MAX_SECONDS_TO_START
    while call(port, "GET", "/healthcheck").status != 200:
        if time.monotonic() > ends:
            logs = "".join(log.read_text() for log in folder.glob("*.log"))
            raise RuntimeError(f"Swift did not start: {logs}")
        time.sleep(0.2)
