"""Runs webhook.py on cases from standard input; see snippetCases.ts for their form."""

import base64
import sys

from webhook import verify_webhook


def decode(field):
    return None if field == "-" else base64.b64decode(field)


def text(field, *encoding):
    value = decode(field)
    return None if value is None else value.decode(*encoding)


for line in sys.stdin:
    secret, clock, request_id, timestamp, signature, body = line.rstrip("\n").split("\t")
    found = set()
    # As WSGI and ASGI hand headers over, and as aiohttp does.
    for encoding in [["latin-1"], ["utf-8", "surrogateescape"]]:
        headers = {
            "x-request-id": text(request_id, *encoding),
            "x-service-webhook-timestamp": text(timestamp, *encoding),
            "x-service-webhook-signature": text(signature, *encoding),
        }
        genuine = verify_webhook(headers.get, decode(body), decode(secret), float(text(clock)))
        found.add("false" if genuine is None else "true")
        # The id is remembered as it was sent, however it was read: else a repeat could be taken for another webhook.
        if genuine is not None and genuine != decode(request_id):
            found.add(f"another id {genuine}")
    print(" or ".join(sorted(found)))
