"""Quartermaster: stock, fleet and asset management for a company with several divisions."""

import os
from pathlib import Path

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from app import day_counts, idempotency, logs, reference_numbers, revisions, versions
from app.accounts import models as accounts_models
from app.assets import models as assets_models
from app.attachments import models as attachments_models
from app.audit import models as audit_models
from app.cli.lazy import LazyGroup
from app.config import Settings, flask_config
from app.db import db
from app.defects import models as defects_models
from app.deliveries import models as deliveries_models
from app.directory import models as directory_models
from app.documents import models as documents_models
from app.due import models as due_models
from app.engines import engine_options, prepare_engine
from app.events import models as events_models
from app.fleet import models as fleet_models
from app.mileage import models as mileage_models
from app.photos import models as photos_models
from app.stock import models as stock_models
from app.vehicle_file.connection import UPKEEP

TABLES = (
    audit_models,
    accounts_models,
    directory_models,
    stock_models,
    photos_models,
    documents_models,
    fleet_models,
    assets_models,
    deliveries_models,
    events_models,
    attachments_models,
    defects_models,
    mileage_models,
    due_models,
    day_counts,
    idempotency,
    reference_numbers,
    versions,
)
"""The modules with tables; all are imported, since backups and migrations go by the tables."""

COMMANDS = {
    "users": "app.accounts.cli:users",
    "tokens": "app.accounts.cli:tokens",
    "stock": "app.stock.cli:stock",
    "ledger": "app.stock.cli:ledger",
    "history": "app.stock.cli:history",
    "directory": "app.directory.cli:directory",
    "vehicles": "app.fleet.cli:vehicles",
    "fleet": "app.vehicle_file.cli:fleet",
    "defects": "app.defects.cli:defects",
    "repairs": "app.defects.cli:repairs",
    "photos": "app.attachments.cli:photos",
    "readings": "app.mileage.cli:readings",
    "due": "app.due.cli:due",
    "assets": "app.assets.cli:assets",
    "counts": "app.diagnostics.cli.counts:counts",
    "verify": "app.diagnostics.cli.verify:verify",
    "doctor": "app.diagnostics.cli.doctor:doctor",
    "backup": "app.backups.cli:backup",
    "restore": "app.backups.cli:restore",
    "audit": "app.audit.cli:audit",
    "events": "app.events.cli:events",
    "demo": "app.demo.cli:demo",
    "db": "flask_migrate.cli:db",
    "version": "app.cli.commands:version",
}
"""The commands of `flask`, and the paths from which they are imported when used."""

ROOT = Path(__file__).resolve().parent.parent


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
