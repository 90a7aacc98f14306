"""Quartermaster: stock, fleet and asset management for a company with several divisions."""

import os
from importlib import import_module
from pathlib import Path

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from app import logs, revisions
from app.cli.lazy import LazyGroup
from app.config import Settings, flask_config
from app.db import db
from app.engines import engine_options, prepare_engine
from app.vehicle_file.services import UPKEEP

ROOT = Path(__file__).resolve().parent.parent

# All tables are imported, since backups and migrations go by them; handovers, since checks tell
# them by signals.
for _module in (
    "day_counts",
    "idempotency",
    "number_counter",
    "versions",
    *(f"{file.parent.name}.models" for file in sorted(ROOT.glob("app/*/models.py"))),
    "bookings.services.handover",
):
    import_module(f"app.{_module}")

COMMANDS = {
    "users": "app.accounts.cli:users",
    "tokens": "app.accounts.cli:tokens",
    "stock": "app.stock.cli:stock",
    "ledger": "app.stock.cli:ledger",
    "levels": "app.stock.cli:levels_group",
    "history": "app.stock.cli:history",
    "deliveries": "app.deliveries.cli:deliveries",
    "directory": "app.directory.cli:directory",
    "vehicles": "app.fleet.cli:vehicles",
    "fleet": "app.vehicle_file.cli:fleet",
    "defects": "app.defects.cli:defects",
    "repairs": "app.defects.cli:repairs",
    "photos": "app.attachments.cli:photos",
    "readings": "app.mileage.cli:readings",
    "due": "app.due.cli:due",
    "export": "app.exports.cli:export",
    "bookings": "app.bookings.cli:bookings",
    "assets": "app.assets.cli:assets",
    "moves": "app.assets.cli:moves",
    "counts": "app.diagnostics.cli:counts",
    "verify": "app.diagnostics.cli:verify",
    "doctor": "app.diagnostics.cli:doctor",
    "backup": "app.backups.cli:backup",
    "restore": "app.backups.cli:restore",
    "audit": "app.audit.cli:audit",
    "events": "app.events.cli:events",
    "demo": "app.demo.cli:demo",
    "db": "flask_migrate.cli:db",
    "version": "app.cli.commands:version",
}
"""The commands of `flask`, and the paths from which they are imported when used."""


def create_app(settings: Settings | None = None, *, serves: bool = True) -> Flask:
    """Build the application; without `serves` it has no pages and calls, as COMMANDS need none."""
    settings = settings or Settings.from_environment(os.environ, ROOT / "instance")
    logs.configure(settings.log_level, settings.log_format)
    app = Flask(__name__, static_folder=None, template_folder=str(ROOT / "templates"))
    app.cli = LazyGroup(app.name, COMMANDS | {"serve": "app.cli.serve:serve"})
    app.config.from_mapping(flask_config(settings))
    app.config["SQLALCHEMY_DATABASE_URI"] = settings.database_url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(settings.database_url)
    app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
        app.wsgi_app, x_for=settings.proxy_hops, x_proto=settings.proxy_hops, x_host=0
    )
    db.init_app(app)
    with app.app_context():
        prepare_engine(db.engine)
    revisions.init_app(app, db)
    app.extensions["upkeep"] = UPKEEP
    if serves:
        from app import routes

        routes.init_app(app, ROOT)
    return app
