"""Calls a web application, WSGI or ASGI, as its server would: once for each line of standard input.

Arguments: the module, the name of the application in it. A line is JSON: {"headers": {...}, "body": "..."}.
Prints the status of each answer.
"""

import asyncio
import importlib
import io
import json
import sys


def wsgi_status(app, headers, body):
    statuses = []
    environ = {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/webhook",
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **{"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()},
    }
    list(app(environ, lambda status, _headers, _info=None: statuses.append(int(status.split()[0]))))
    return statuses[0]


def asgi_status(app, headers, body):
    statuses = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/webhook",
        "raw_path": b"/webhook",
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    asyncio.run(app(scope, receive, send))
    return statuses[0]


module, kind = sys.argv[1:]
application = importlib.import_module(module).app
for line in sys.stdin:
    request = json.loads(line)
    status = wsgi_status if kind == "wsgi" else asgi_status
    print(status(application, request["headers"], request["body"].encode()))
