"""The props of the outbox, as its page hands them over."""

from marshmallow import fields

from app.api.schemas import WidgetProps


class OutboxProps(WidgetProps):
    """Whose changes the outbox shows."""

    user = fields.Integer()
    username = fields.String()
