import json
import os
import shlex
import subprocess
import tempfile
import time
import unittest

from mirror import Api, mirror

TOKEN = "a-token-for-tests"


class MirrorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Starts one server for all tests: `npx orch`, or the command in ORCH."""
        cls.folder = tempfile.TemporaryDirectory()
        tokens, ready = (os.path.join(cls.folder.name, name) for name in ("tokens.csv", "ready.json"))
        with open(tokens, "w", encoding="utf-8") as file:
            file.write(f"{TOKEN},admin,1,system:masters\n")
        cls.server = subprocess.Popen(
            [*shlex.split(os.environ.get("ORCH", "npx orch")), "serve", "--vendor=kubernetes"]
            + ["--storage-engine=memory", "--secure-port=0", f"--data-dir={cls.folder.name}"]
            + [f"--token-auth-file={tokens}", f"--ready-file={ready}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 60
        while not os.path.exists(ready):
            if time.monotonic() > end or cls.server.poll() is not None:
                raise RuntimeError("the server did not start")
            time.sleep(0.02)
        with open(ready, encoding="utf-8") as file:
            server = json.load(file)
        cls.api = Api(server["address"], TOKEN, server["ca"])
        cls.api.call("POST", "/api/v1/namespaces", {"metadata": {"name": "copies"}})

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()
        cls.folder.cleanup()

    def test_copies_what_is_labelled_and_follows_changes(self):
        maps = "/api/v1/namespaces/default/configmaps"
        paint = {"metadata": {"name": "paint", "labels": {"mirror": "yes"}}, "data": {"color": "red"}}
        self.api.call("POST", maps, paint)
        self.api.call("POST", maps, {"metadata": {"name": "other"}})
        for color in ("red", "blue"):
            self.api.call("PUT", f"{maps}/paint", {**paint, "data": {"color": color}})
            self.assertEqual(mirror(self.api, "copies"), ["paint"])
            self.assertEqual(mirror(self.api, "copies"), [])
            copy = self.api.call("GET", "/api/v1/namespaces/copies/configmaps/paint")
            self.assertEqual(copy["data"], {"color": color})
        self.assertIsNone(self.api.call("GET", "/api/v1/namespaces/copies/configmaps/other"))


if __name__ == "__main__":
    unittest.main()
