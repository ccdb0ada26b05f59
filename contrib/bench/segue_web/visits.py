"""Measures visits of a page in a slow network: when something is shown, and how much is transferred."""

import time
import urllib.parse

from segue_bench.figures import Figure

from .wire import Wire

# 4 Mbit/s, and 100 ms until a response begins. The browser does not delay the beginning of a connection.
slow = {"offline": False, "latency": 100, "downloadThroughput": 500_000, "uploadThroughput": 500_000}
fast = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
# What a browser keeps besides its cache of files. Cookies and settings stay: the visitor is signed in.
stores = "cache_storage,service_workers"
# Notes when an element that matches the selector has been drawn.
watch = """
const look = () => {
  if (window.benchShown !== undefined) return;
  for (const one of document.querySelectorAll(%r)) {
    if (one.getClientRects().length === 0) continue;
    window.benchShown = null;
    requestAnimationFrame(() => setTimeout(() => { window.benchShown = performance.now(); }));
    return;
  }
};
new MutationObserver(look).observe(document, {childList: true, subtree: true, attributes: true});
"""
painted = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


class Visitor:
    """Opens an address and waits until an element that matches the selector is shown. A script that answers what the page asks its
    first visitor runs first."""

    def __init__(self, browser, url, selector, welcome=""):
        self.browser, self.url, self.selector = browser, url, selector
        self.driver = browser.driver
        if welcome:
            self.driver.get(url)
            time.sleep(5)
            self.driver.execute_script(welcome)
            time.sleep(2)
        self.driver.execute_cdp_cmd("Network.enable", {})
        watching = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": watch % selector})
        self._script = watching["identifier"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self._script})
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", fast)
        self.driver.get("about:blank")

    def forget(self):
        """Empties the caches."""
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": origin(self.url), "storageTypes": stores})

    def visit(self):
        """Returns the milliseconds until the first contentful paint, and until the element is shown."""
        self.driver.get("about:blank")
        self.driver.get(self.url)
        shown = self.browser.wait(self.selector, lambda: self.driver.execute_script("return window.benchShown"))
        paint = self.browser.wait("a first paint", lambda: self.driver.execute_script(painted))
        return paint, shown


def origin(url):
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def visits(bench, name, browser, url, selector, state, welcome=""):
    """Measures visits with an empty and a full cache, and counts the bytes of one of each."""
    def note(cache, what, value, places):
        bench.note(Figure(f"{state}, {cache} cache: {what}", places), name, value)

    with Visitor(browser, url, selector, welcome) as visitor:
        visitor.visit()
        visitor.driver.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
        for _ in range(bench.visits):
            visitor.forget()
            for cache in ("empty", "full"):
                paint, shown = visitor.visit()
                note(cache, "first contentful paint, ms", paint, 0)
                note(cache, "queue shown, ms", shown, 0)
                # A service worker or a page that loads more later is done then.
                time.sleep(1)
    parts = urllib.parse.urlsplit(url)
    with Wire(parts.port) as wire:
        counted = parts._replace(netloc=f"{parts.hostname}:{wire.port}").geturl()
        with Visitor(browser, counted, selector, welcome) as visitor:
            visitor.forget()
            for cache in ("empty", "full"):
                before = wire.received
                visitor.visit()
                wire.settle()
                note(cache, "KB received", (wire.received - before) / 1000, 1)
                visitor.driver.get("about:blank")
                wire.settle(1)
