"""The machine with the music, as its owner uses it: with the command line."""
import json
import os
import subprocess


def segue(*words):
  """Executes a command and returns its output."""
  return subprocess.run([os.environ["SEGUE"], *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def rpc(method, parameters=None):
  """Returns the result of a request."""
  return json.loads(segue("rpc", method, json.dumps(parameters or {})))


def queue():
  """Returns the titles of the queue, and the index of the current entry."""
  return [entry["metadata"]["title"] for entry in rpc("queue.list")["tracks"]], rpc("status")["index"]
