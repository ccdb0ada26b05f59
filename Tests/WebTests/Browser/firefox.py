"""Firefox, by WebDriver BiDi, which it speaks itself: Debian has no geckodriver. A story shows that the page works there."""
import asyncio
import contextlib
import json
import pathlib
import re
import subprocess
import tempfile
import time

import websockets

from browser import TIMEOUT, expect
from machine import rpc


class Firefox:
  """A window of Firefox."""

  def __init__(self, loop, connection):
    self.loop, self.connection, self.number = loop, connection, 0
    # The errors of the console.
    self.errors = []
    self.send("session.new", {"capabilities": {}})
    self.send("session.subscribe", {"events": ["log.entryAdded"]})
    self.context = self.send("browsingContext.getTree", {})["contexts"][0]["context"]

  def send(self, method, parameters):
    """Sends a command and returns its result."""
    return self.loop.run_until_complete(asyncio.wait_for(self._send(method, parameters), TIMEOUT))

  async def _send(self, method, parameters):
    self.number += 1
    await self.connection.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
    while True:
      message = json.loads(await self.connection.recv())
      if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
        self.errors.append(message["params"]["text"])
      if message.get("id") == self.number:
        expect(message["type"] == "success", message)
        return message["result"]

  def open(self, url):
    self.send("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"})

  def evaluate(self, script):
    """Returns the value of an expression: a text, a number or a boolean."""
    answer = self.send("script.evaluate", {"expression": script, "target": {"context": self.context}, "awaitPromise": True})
    expect(answer["type"] == "success", answer)
    return answer["result"].get("value")

  def wait(self, what, script):
    end = time.monotonic() + TIMEOUT
    while not self.evaluate(script):
      if time.monotonic() > end:
        raise AssertionError(f"timed out: {what}\n{self.evaluate('document.body.innerText')[:1500]}")
      time.sleep(0.05)


def address_in(log, process):
  """Waits until Firefox has written at which address it listens."""
  end = time.monotonic() + TIMEOUT
  while not (found := re.search(r"WebDriver BiDi listening on (ws://\S+)", pathlib.Path(log.name).read_text())):
    expect(process.poll() is None and time.monotonic() < end, f"Firefox does not listen: {pathlib.Path(log.name).read_text()}")
    time.sleep(0.05)
  return found[1]


async def connect(address):
  return await websockets.connect(f"{address}/session", max_size=None)


@contextlib.contextmanager
def window():
  """Starts Firefox without a window on the screen."""
  with tempfile.TemporaryDirectory() as profile, tempfile.NamedTemporaryFile() as log:
    command = ["firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
    process = subprocess.Popen(command, stderr=log, stdout=subprocess.DEVNULL)
    loop = asyncio.new_event_loop()
    try:
      connection = loop.run_until_complete(connect(address_in(log, process)))
      yield Firefox(loop, connection)
      loop.run_until_complete(connection.close())
    finally:
      process.terminate()
      process.wait()
      loop.close()


def firefox(url, token):
  """Somebody with Firefox scans the code, plays a song, looks at an album and searches."""
  with window() as page:
    page.open(f"{url}#pair={token}")
    page.wait("five songs", "document.querySelectorAll('main .row').length === 5")
    page.evaluate("document.querySelectorAll('main .row .main')[1].click()")
    page.wait("the second song is current", "document.querySelector('.row.current .title')?.textContent === 'Dawn'")
    expect(rpc("status")["state"] == "playing", "it plays")
    page.evaluate("location.hash = '/library/albums'")
    page.wait("the album with its cover", "document.querySelector('main .tile .cover.loaded img')?.naturalWidth > 0")
    page.evaluate("location.hash = '/search/library?q=dawn'")
    page.wait("two songs", "document.querySelectorAll('main .row').length === 2")
    page.evaluate("document.querySelector('.bar .main').click()")
    page.wait("the player", "document.querySelector('dialog.player')?.open")
    page.wait("the position advances", "document.querySelector('dialog.player .times').textContent >= '0:01'")
    expect([error for error in page.errors if "401" not in error] == [], page.errors)
