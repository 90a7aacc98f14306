"""Names that features import until they use the modules that define them."""

from app.api.blueprint import Blueprint
from app.api.changes import run_once
from app.api.schemas import AddedReply, Body, ListChangeReply, Reply

__all__ = ["AddedReply", "Blueprint", "Body", "ListChangeReply", "Reply", "run_once"]
