"""A controller that needs only the standard library."""

import json
import ssl
import urllib.error
import urllib.request


class Api:
    """A client of a server."""

    def __init__(self, address, token, ca):
        self.address = address
        self.token = token
        self.context = ssl.create_default_context(cadata=ca)

    def call(self, method, path, body=None):
        """Sends a request. Returns None if the object does not exist; other failures are raised."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, context=self.context) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as failure:
            if failure.code == 404:
                return None
            raise RuntimeError(failure.read().decode()) from failure


def mirror(api, target):
    """Copies every ConfigMap that is labelled mirror=yes to another namespace, in one pass. Returns the names of the copies that it wrote."""
    copies = f"/api/v1/namespaces/{target}/configmaps"
    written = []
    for source in api.call("GET", "/api/v1/configmaps?labelSelector=mirror%3Dyes")["items"]:
        name, data = source["metadata"]["name"], source.get("data", {})
        copy = api.call("GET", f"{copies}/{name}")
        if copy is None:
            api.call("POST", copies, {"metadata": {"name": name}, "data": data})
        elif copy.get("data", {}) == data:
            continue
        else:
            api.call("PUT", f"{copies}/{name}", {**copy, "data": data})
        written.append(name)
    return written
