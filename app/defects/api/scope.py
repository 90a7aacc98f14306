"""The blueprint of the calls about defects, repairs and times off the road."""

from app.fleet.acts import upkeep_calls

bp = upkeep_calls("defects")
