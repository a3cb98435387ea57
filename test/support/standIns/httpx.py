"""Takes what the library httpx takes."""
import requests


def request(method, url, headers, content=None, timeout=0, follow_redirects=True):
    return requests.request(method, url, headers, content, timeout, follow_redirects)
