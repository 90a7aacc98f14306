"""Hostile values, headers and files."""

import math
from typing import Any

MARKER = "<qm\"'&>"
TEMPLATE = "{{7*191}}qm"
RAW = ("<qm", "qm\"'", "1337qm")
"""What no page may show: the marker unescaped, or the template's sum."""

TEXTS = (
    MARKER,
    TEMPLATE,
    "",
    " \t\r\n",
    "a\0b",
    "0",
    "-1",
    "1e999",
    "NaN",
    "Infinity",
    "9" * 5000,
    "0x10",
    "1_0",
    "２３",
    "١٢",
    "½",
    "2147483648",
    "9223372036854775808",
    "2026-02-30",
    "0001-01-01",
    "9999-12-31",
    "99999999-01-01",
    "2026-01-15T25:61:61Z",
    "x" * 20_000,
    "\u202e\u200b\ufeff",
    "\U0001fad6" * 300,
    "İ" * 200,
    "ﷺ" * 300,
    "e\u0301" * 200,
    "'; DROP TABLE item; --",
    "%' OR '1'='1",
    "%_\\",
    "(a+)+$" * 30,
    "=HYPERLINK(1)",
    "../../../etc/passwd",
    "javascript:alert(1)",
    "//evil.example/\r\nSet-Cookie: qm=1",
    "http://[",
    "null",
    "[" * 2000,
)
"""What is typed into a field, or stands in an address."""

BYTES = (b"%FF", b"%ED%A0%80", b"%C0%80", b"%00", b"%", b"%u0041", b"a%0Ab", b"%F4%90%80%80")
"""Values of forms and addresses that aren't text."""

VALUES: tuple[Any, ...] = (
    *(text for text in TEXTS if len(text) < 6000),
    *(None, True, [], {}, [[]], {"a": {"b": {}}}, 0, -1, 1.5, 1e300, 2**31, 2**63, 10**400),
    *(math.nan, math.inf, "\ud800", ["x"] * 2000),
)
"""What stands in a JSON body."""

HEADERS = (
    *("Accept", "Accept-Language", "Accept-Encoding", "Authorization", "Cookie", "Content-Type"),
    *("HX-Request", "HX-Target", "HX-Current-URL", "Idempotency-Key", "If-Match", "If-None-Match"),
    *("Origin", "Referer", "Sec-Fetch-Site", "X-CSRFToken", "X-Forwarded-For", "traceparent"),
    *("X-Page-Form", "X-Request-ID", "Range", "User-Agent", "Host", "X-Forwarded-Proto"),
)
HEADER_VALUES = (
    MARKER,
    "",
    "true",
    "http://[",
    "http://evil.example/[::1",
    "\u00ff\u00fe",
    "*",
    'W/"',
    '"a", W/"b", ,',
    "Bearer ",
    "Basic !!!",
    "Digest x",
    "session=x.y.z; browser=:::; session=",
    "text/html;q=x, */*;q=1e9",
    "multipart/form-data",
    "multipart/form-data; boundary=" + "b" * 300,
    "application/json; charset=nothing",
    "application/x-www-form-urlencoded; charset=utf-16",
    "bytes=0-,-1,9999999999999999999-",
    "00-" + "f" * 32 + "-" + "0" * 16 + "-zz",
    "x" * 4000,
    ("a," * 1500) + "b;q=0.1",
)

SHEETS = (
    b"",
    b"\0",
    b"\xff\xfe" + "item,expected,counted\r\n".encode("utf-16-le"),
    b"\xef\xbb\xbfitem,expected,counted\r\n" + MARKER.encode() + b",1,2\r\n",
    b"item,expected,counted\r\n\xff\xfe,1,2\r\n",
    b"item,expected,counted\r\nx\0y,1,2\r\n",
    b'item,expected,counted\r\n"never closed,1,2\r\n' * 50,
    b"item,expected,counted\r" + b"a,1,2\r" * 50,
    b"item,item,item\r\n1,2,3\r\n",
    b"," * 50_000 + b"\r\n",
    b"item,expected,counted\r\n" + b"a" * 200_000 + b",1,2\r\n",
    b"item,expected,counted\r\n=cmd|x,1e999,-" + b"9" * 400 + b"\r\n",
    b"item,expected,counted\r\nRed,1\r\nRed,1,2,3,4\r\n\r\n,,\r\n",
    b"[" * 50_000,
    b'{"a":1}',
    b'[{"item": {"x": []}, "amount": 1e999}]',
    b'[{"item": "\\ud800", "amount": true}]',
    b"PK\x03\x04" + bytes(1000),
)
"""Files for imports and uploads of lists."""
