import json
import os

from flask import Flask, abort, request
from verify import verify_webhook

# The secret that the caller sends as X-Webhook-Secret.
SECRET = os.environ["WEBHOOK_SECRET"]

app = Flask(__name__)


@app.post("/webhook")
def webhook():
    raw_body = request.get_data()
    if not verify_webhook(request.headers.get, raw_body, SECRET):
        abort(401)
    delivery = json.loads(raw_body)
    # The same delivery may arrive again: what is done here has to bear that.
    app.logger.info("Run %s", delivery.get("run_id"))
    return "", 200
