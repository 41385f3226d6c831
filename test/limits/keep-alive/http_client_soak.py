"""Sends requests one after the other over one connection of http.client.

Reads a line of JSON for each request, and a last one that says where to send them; prints what came of it as JSON.
"""

import http.client
import json
import ssl
import sys

*steps, target = [json.loads(line) for line in sys.stdin]
report = {"answered": 0, "connections": 0, "failures": []}


class CountingConnection(http.client.HTTPSConnection):
    def connect(self):
        report["connections"] += 1
        super().connect()


context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
connection = CountingConnection("127.0.0.1", target["port"], context=context, timeout=120)

for step in steps:
    headers = {"Authorization": "Bearer " + target["token"]}
    body = None
    if "body" in step:
        parts = step["body"]
        body = parts["before"] + parts["letter"] * parts["bytes"] + parts["after"]
        headers["Content-Type"] = step["type"]
    try:
        connection.request(step["method"], step["path"], body=body, headers=headers)
        response = connection.getresponse()
        response.read()
        if response.status == step["status"]:
            report["answered"] += 1
        else:
            report["failures"].append(f"{step['method']} {step['path']}: {response.status}")
    except Exception as error:
        report["failures"].append(f"{step['method']} {step['path']} ({len(body or '')} bytes): {error!r}")
        connection.close()

connection.close()
print(json.dumps(report))
