"""The addresses of clients, as they are counted."""

import ipaddress


def counted_address(address: str | None) -> str:
    """Return the key under which an address is counted: an IPv4 address, or an IPv6 network.

    The network has 64 bits, since a single client has all of its addresses.
    """
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return "unknown"
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
