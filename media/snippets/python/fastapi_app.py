import asyncio
import os

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from verify import receive_webhook

SECRET = os.fsencode(os.environ.get("WEBHOOK_SECRET", ""))
if not SECRET:
    raise RuntimeError("Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.")

MAX_BODY_BYTES = 16 * 1024 * 1024
# Where a middleware has read the body before, Starlette may wait for it without an end.
READ_SECONDS = 30

app = FastAPI()


def handle_delivery(body):
    """What is to be done with a delivery. Where it raises, the service sends the delivery again."""
    print("Delivery", ascii(body))


@app.post("/webhook")
async def webhook(request: Request):
    try:
        raw_body = await asyncio.wait_for(read_body(request), READ_SECONDS)
    except (asyncio.TimeoutError, RuntimeError, ClientDisconnect):
        # The sender broke off, or a middleware has read the body before.
        raw_body = None
    if raw_body is not None and len(raw_body) > MAX_BODY_BYTES:
        return Response(status_code=413)
    # In a thread, since the work may block.
    status = await run_in_threadpool(
        receive_webhook, request.headers.get, raw_body, SECRET, handle_delivery
    )
    return Response(status_code=status)


async def read_body(request: Request) -> bytes:
    """The bytes of the body. One that is too large is read to its end, so that the sender sees the response."""
    raw_body = bytearray()
    async for chunk in request.stream():
        if len(raw_body) <= MAX_BODY_BYTES:
            raw_body += chunk
    return bytes(raw_body)
