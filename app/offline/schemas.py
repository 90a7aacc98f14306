"""The props of the outbox, as its page hands them over."""

from app.api import replies
from app.api.schemas import WidgetProps


class OutboxProps(WidgetProps):
    """Whose changes the outbox shows."""

    user = replies.number()
    username = replies.text()
