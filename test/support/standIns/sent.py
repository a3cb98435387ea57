"""Sends a request as it is told, with nothing decoded or encoded anew."""
import http.client
from urllib.parse import urlsplit


def send(method, url, headers, body):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc)
    connection.putrequest(method, url.split(parts.netloc, 1)[1], skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    return connection.getresponse()
