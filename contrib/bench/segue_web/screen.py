"""Measures the page in use: taps on the button that pauses, and scrolling in a long queue."""

import itertools
import time

from segue_bench.figures import Figure
from segue_bench.monitor import Monitor

from .gateway import Pages

# Pixels a second of a wheel that is turned without a pause. Gestures of fingers do not arrive in a browser without a window.
speed = 4000
seconds = 5
# A frame that took longer than one and a half times as long as usual was dropped by the display.
long_frame = 1000 / 60 * 1.5

# Notes when the finger left the button, and when the button had its other name.
watch_taps = """
window.bench = {};
const bar = document.querySelector("div.bar");
document.addEventListener("click", event => { window.bench = {tapped: event.timeStamp}; }, true);
new MutationObserver(() => { if (bar.querySelector("[aria-label=Play]")) bench.changed ??= performance.now(); })
  .observe(bar, {attributes: true, subtree: true, attributeFilter: ["aria-label"]});
"""
watch_frames = """
const frames = window.benchFrames = {times: [], empty: 0, runs: true};
const next = now => {
  if (!frames.runs) return;
  frames.times.push(now);
  if (document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest(".pending")) frames.empty += 1;
  requestAnimationFrame(next);
};
requestAnimationFrame(next);
"""
read_frames = "window.benchFrames.runs = false; return window.benchFrames"
shown_after_jump = """
const done = arguments[0];
const begin = performance.now();
scrollTo(0, document.documentElement.scrollHeight / 2);
const look = () => {
  const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("li.row");
  if (row && !row.matches(".pending")) return done(performance.now() - begin);
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def taps(bench, name, gateway, browser):
    """Measures the time from a tap on the button that pauses until no sound is left, until the page shows it, and until
    another page is told. The network takes no time here."""
    note = lambda what, begin, moment: bench.note(
        Figure(f"tap on pause to {what}, ms", 1), name, (heard_of(what, moment) - begin) * 1000)
    driver = browser.driver
    driver.execute_cdp_cmd("Performance.enable", {})
    driver.get("about:blank")
    driver.get(gateway.url)
    browser.named("Play")
    driver.execute_script(watch_taps)
    # Both clocks of the browser, that of the page and CLOCK_MONOTONIC, at the beginning of the page.
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    began = next(metric["value"] for metric in metrics if metric["name"] == "NavigationStart")
    with Pages(gateway, 1) as (other,), Monitor(bench.environment) as heard:
        for _ in range(bench.taps):
            begin = time.monotonic()
            tap(browser, "Play")
            heard_of("sound", heard.first_sound(begin))
            browser.named("Pause")
            time.sleep(0.3)
            tap(browser, "Pause")
            tapped = began + driver.execute_script("return bench.tapped") / 1000
            silent = heard.last_sound(tapped)
            changed = browser.wait("the button changes", lambda: driver.execute_script("return bench.changed"))
            note("silence", tapped, silent)
            note("the page's change", tapped, began + changed / 1000)
            note("another page's event", tapped, other.first(b"event: player", tapped))
    driver.execute_cdp_cmd("Performance.disable", {})


def heard_of(what, moment):
    if moment is None:
        raise RuntimeError(f"a tap is not followed by {what}")
    return moment


def tap(browser, name):
    place = browser.named(name).rect
    point = {"x": place["x"] + place["width"] / 2, "y": place["y"] + place["height"] / 2}
    browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def scroll(bench, name, gateway, browser, count):
    """Measures the frames while a wheel scrolls, and a jump into the middle."""
    note = lambda what, value, places: bench.note(Figure(f"{count:,} tracks: {what}", places), name, value)
    driver = browser.driver
    driver.get("about:blank")
    driver.get(gateway.url)
    browser.one("main .row:not(.pending)")
    time.sleep(1)
    driver.execute_script(watch_frames)
    gesture = {"x": 195, "y": 400, "yDistance": -speed * seconds, "speed": speed, "gestureSourceType": "mouse"}
    driver.execute_cdp_cmd("Input.synthesizeScrollGesture", gesture)
    frames = driver.execute_script(read_frames)
    if driver.execute_script("return scrollY") < speed * seconds * 0.9:
        raise RuntimeError("the page does not scroll")
    times = frames["times"]
    lengths = [after - before for before, after in itertools.pairwise(times)]
    note("scrolling, frames a second", 1000 * len(lengths) / (times[-1] - times[0]), 1)
    note("scrolling, dropped frames, %", 100 * sum(length > long_frame for length in lengths) / len(lengths), 2)
    note("scrolling, longest frame, ms", max(lengths), 1)
    note("scrolling, frames with an empty row, %", 100 * frames["empty"] / len(times), 1)
    note("jump into the middle, rows shown, ms", driver.execute_async_script(shown_after_jump), 0)
