import hashlib
import hmac
import re
import time

# An older delivery is refused, so that nobody can send a recorded one again.
TOLERANCE_SECONDS = 300


def verify_webhook(header, raw_body: bytes, secret: str, now: float | None = None) -> bool:
    """Whether a webhook is genuine and unaltered.

    header gives a header by its name; raw_body is the bytes as received, before any parser.
    """
    request_id = header("x-request-id")
    timestamp = header("x-service-webhook-timestamp")
    signature = re.fullmatch(r"v1,([0-9a-fA-F]{64})", header("x-service-webhook-signature") or "")
    if not request_id or not signature or not re.fullmatch(r"[0-9]+(\.[0-9]+)?", timestamp or ""):
        return False
    if abs((time.time() if now is None else now) - float(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{request_id}.{timestamp}.".encode("latin-1") + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature[1].lower())
