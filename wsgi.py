"""The WSGI application, imported by servers and by the flask command."""

import gc
import sys

# What is imported here stays for the life of the process. The garbage collector would look at all
# of it again and again, now and in every request, and so unshare it between a server's workers.
gc.disable()

from app import COMMANDS, create_app  # noqa: E402
from app.cli.lazy import command_to_run  # noqa: E402
from app.config import SettingsError  # noqa: E402

try:
    app = create_app(serves=command_to_run() not in COMMANDS)
except SettingsError as error:
    sys.exit(f"Quartermaster can't start: {error}")

gc.freeze()
gc.enable()
