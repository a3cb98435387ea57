import os

from flask import Flask, request
from verify import answer_webhook

SECRET = os.fsencode(os.environ.get("WEBHOOK_SECRET", ""))
if not SECRET:
    raise RuntimeError("Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.")

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 16 * 1024 * 1024


def handle_delivery(body):
    """What is to be done with a delivery. Where it raises, the service sends the delivery again."""
    print("Delivery", ascii(body))


@app.post("/webhook")
def webhook():
    raw_body = request.get_data()
    if not raw_body and (request.content_length or "Transfer-Encoding" in request.headers):
        raw_body = None  # something has read it before
    return "", answer_webhook(request.headers.get, raw_body, SECRET, handle_delivery)
