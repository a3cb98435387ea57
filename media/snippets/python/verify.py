import hashlib
import hmac
import json
import logging
import re
import threading
import time


def receive_webhook(header, raw_body: bytes | None, secret: bytes, handle_delivery) -> int:
    """Takes a webhook, and returns the status to respond with.

    200: it is done, now or when it came before.
    401: it is not signed, its signature is wrong, or it is too old.
    404: it could not be done for now. The service sends a webhook again after a 404 or a network
    error, and never after another 4xx or a 5xx: a 500 would lose it.

    header gives a header by its name; raw_body is the bytes as received, before any parser, or None if
    something has read them before.
    """
    try:
        if raw_body is None:
            # Not 401, after which the service would not send it again: it may be genuine.
            raise ValueError("Something has read the body before: verify webhooks above what reads bodies.")
        request_id = verify_webhook(header, raw_body, secret)
        if request_id is None:
            return 401
        once(request_id, lambda: handle_delivery(parse_body(raw_body)))
        return 200
    except Exception:
        logging.getLogger(__name__).exception("The webhook could not be handled.")
        return 404


# An older webhook is rejected, so that nobody can send a recorded one again.
TOLERANCE_SECONDS = 300


def verify_webhook(header, raw_body: bytes, secret: bytes, now: float | None = None) -> bytes | None:
    """The request id of a webhook that is genuine and unaltered, as its bytes; else None."""
    request_id = header("x-request-id")
    timestamp = header("x-service-webhook-timestamp")
    signature = re.fullmatch(r"v1,([0-9a-f]{64})", header("x-service-webhook-signature") or "")
    if not request_id or not signature or not re.fullmatch(r"[1-9][0-9]{0,12}", timestamp or ""):
        return None
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        return None
    for id_bytes in sent_as(request_id):
        signed = id_bytes + f".{timestamp}.".encode() + raw_body
        expected = hmac.new(secret, signed, hashlib.sha256).hexdigest()
        if hmac.compare_digest(expected, signature[1]):
            return id_bytes
    return None


def sent_as(value: str) -> list[bytes]:
    """What a header may have been before it was text: WSGI and ASGI read it as Latin-1, aiohttp as UTF-8."""
    if value.isascii():
        return [value.encode()]
    as_utf8 = value.encode("utf-8", "surrogateescape")
    return [as_utf8] if max(value) > "\xff" else [value.encode("latin-1"), as_utf8]


def parse_body(raw_body: bytes):
    """The value of its JSON, or its text: what is no JSON now would be none the next time either."""
    try:
        return json.loads(raw_body)
    except (ValueError, RecursionError):
        return raw_body.decode(errors="replace")


# How many request ids are remembered.
MOST_DONE = 10_000
_running = set()
_done = {}  # used as a set that keeps its order
_ended = threading.Condition()


def once(request_id: bytes, work) -> None:
    """Does the work for a request id once, as the service may send a webhook again that was done already.

    A repeat waits for the one before it, and does the work where that one failed. This is the memory of
    one process: where it restarts or there are several, keep the ids in a database, in the work's
    transaction.
    """
    with _ended:
        _ended.wait_for(lambda: request_id not in _running)
        if request_id in _done:
            return
        _running.add(request_id)
    try:
        work()
        with _ended:
            _done[request_id] = True
            if len(_done) > MOST_DONE:
                del _done[next(iter(_done))]
    finally:
        with _ended:
            _running.remove(request_id)
            _ended.notify_all()
