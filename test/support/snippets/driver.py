"""Runs webhook.py on cases from standard input; see snippetCases.ts for their form."""

import base64
import sys

from webhook import verify_webhook


def decode(field):
    return None if field == "-" else base64.b64decode(field)


def text(field):
    value = decode(field)
    return None if value is None else value.decode("latin-1")


for line in sys.stdin:
    secret, clock, request_id, timestamp, signature, body = line.rstrip("\n").split("\t")
    headers = {
        "x-request-id": text(request_id),
        "x-service-webhook-timestamp": text(timestamp),
        "x-service-webhook-signature": text(signature),
    }
    genuine = verify_webhook(headers.get, decode(body), decode(secret), float(text(clock)))
    print("true" if genuine else "false")
