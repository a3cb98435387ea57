import os

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from verify import answer_webhook

SECRET = os.fsencode(os.environ.get("WEBHOOK_SECRET", ""))
if not SECRET:
    raise RuntimeError("Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.")

MAX_BODY_BYTES = 16 * 1024 * 1024

app = FastAPI()


def handle_delivery(body):
    """What is to be done with a delivery. Where it raises, the service sends the delivery again."""
    print("Delivery", ascii(body))


@app.post("/webhook")
async def webhook(request: Request):
    raw_body = bytearray()
    async for chunk in request.stream():
        # One that is too large is read to its end, so that the sender sees the answer.
        if len(raw_body) <= MAX_BODY_BYTES:
            raw_body += chunk
    if len(raw_body) > MAX_BODY_BYTES:
        return Response(status_code=413)
    # In a thread, since the work may block.
    status = await run_in_threadpool(
        answer_webhook, request.headers.get, bytes(raw_body), SECRET, handle_delivery
    )
    return Response(status_code=status)
