import os

from flask import Flask, request
from verify import receive_webhook

SECRET = os.fsencode(os.environ.get("WEBHOOK_SECRET", ""))
if not SECRET:
    raise RuntimeError("Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.")

MAX_BODY_BYTES = 16 * 1024 * 1024

app = Flask(__name__)


def handle_delivery(body):
    """What is to be done with a delivery. Where it raises, the service sends the delivery again."""
    print("Delivery", ascii(body))


# At any path: the one that deliveries are sent to is chosen elsewhere.
@app.post("/", defaults={"path": ""})
@app.post("/<path:path>")
def webhook(path):
    raw_body = read_body()
    if len(raw_body) > MAX_BODY_BYTES:
        return "", 413
    if not raw_body and (request.content_length or "Transfer-Encoding" in request.headers):
        raw_body = None  # something has read it before
    return "", receive_webhook(request.headers.get, raw_body, SECRET, handle_delivery)


def read_body():
    """The bytes of the body. One that is too large is read to its end, so that the sender sees the response.

    Flask's own MAX_CONTENT_LENGTH does not do: before Werkzeug 2.3 it counts for forms alone.
    """
    raw_body = bytearray()
    for chunk in iter(lambda: request.stream.read(64 * 1024), b""):
        if len(raw_body) <= MAX_BODY_BYTES:
            raw_body += chunk
    # Something may have read it before, and kept it.
    return bytes(raw_body) or request.get_data()


# Starts with: python <this file>. Where Flask starts it: flask --app <this file> run
if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(os.environ.get("PORT", "3000")))
