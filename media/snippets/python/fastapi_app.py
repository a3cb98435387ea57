import json
import logging
import os

from fastapi import FastAPI, HTTPException, Request
from verify import verify_webhook

# The secret that the caller sends as X-Webhook-Secret.
SECRET = os.environ["WEBHOOK_SECRET"]

app = FastAPI()


@app.post("/webhook")
async def webhook(request: Request):
    raw_body = await request.body()
    if not verify_webhook(request.headers.get, raw_body, SECRET):
        raise HTTPException(status_code=401)
    delivery = json.loads(raw_body)
    # The same delivery may arrive again: what is done here has to bear that.
    logging.getLogger(__name__).info("Run %s", delivery.get("run_id"))
    return {}
