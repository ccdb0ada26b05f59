"""Measures the web remote of Segue, and pages of other players that are running."""

import argparse
import contextlib
import os
import pathlib
import re
import sys
import urllib.parse

from browser import browser
from segue_bench import account, collection, machine, music, report
from segue_bench.figures import Figures, markdown
from segue_bench.players import Segue
from segue_bench.pulse import Pulse
from segue_bench.sandbox import Sandbox

from .gateway import Gateway
from .load import load
from .screen import scroll, taps
from .visits import visits

marks = "<!-- web -->\n", "<!-- /web -->\n"
short, long, quick_long = 20, 10_000, 1_000
first_row = "main .row:not(.pending)"


class Bench:
    """The environment of every section."""

    def __init__(self, sandbox, quick):
        self.environment = sandbox.environment("monitor")
        self.files, self.music_source = music.make(sandbox.folder("music"))
        self.long = quick_long if quick else long
        folder = sandbox.folder("collection")
        collection.make(folder, self.long, 0.1)
        self.collection = sorted(file for file in folder.rglob("*.*") if file.is_file())
        self.visits = 2 if quick else 5
        self.taps = 4 if quick else 20
        self.seconds = 5 if quick else 20   # of measured playback
        self.idle = 5 if quick else 20      # of measured pause
        self.figures = Figures()

    def note(self, figure, name, value):
        self.figures.note(figure, name, value)
        print(f"    {figure.label}: {value:,.{figure.places}f}", file=sys.stderr, flush=True)


def measure_page(bench, player):
    """Measures the page of Segue in a browser."""
    for count in (short, bench.long):
        player.fill([bench.files["seek"], *bench.collection[:count - 1]])
        account.settle(player.pid)
        with Gateway(player) as gateway, browser(gateway.url) as page:
            cookie = {"name": "segue", "value": gateway.sign_in(1)[0], "url": gateway.url}
            page.driver.execute_cdp_cmd("Network.setCookie", cookie)
            visits(bench, "Segue", page, gateway.url, first_row, f"{count:,} tracks")
            if count == short:
                taps(bench, "Segue", gateway, page)
            else:
                scroll(bench, "Segue", gateway, page, count)


def measure_peer(bench, name, url, selector, welcome):
    """Measures the page of another player."""
    with browser(url) as page:
        visits(bench, name, page, url, selector, f"{short} tracks", welcome)


def measure_load(bench, sandbox):
    with Segue(sandbox) as player:
        load(bench, "Segue", player)


def write(table):
    """Puts the values into the page of the documentation. Those of rows and columns that were not measured stay."""
    begin, end = map(re.escape, marks)
    text = report.page.read_text()
    found = re.search(f"{begin}(.*?){end}", text, re.S)
    old = report.cells(found[1]) if found[1] else [[""]]
    new = report.cells(table)
    columns = [*old[0], *(name for name in new[0] if name not in old[0])]
    rows = {row[0]: dict(zip(old[0], row)) for row in old[1:]}
    for row in new[1:]:
        values = {name: value for name, value in zip(new[0], row) if value != "–"}
        rows.setdefault(row[0], {}).update(values)
    merged = markdown([columns, *([row.get(name, "–") for name in columns] for row in rows.values())])
    report.page.write_text(text[:found.start(1)] + merged + text[found.end(1):])


def arguments():
    parser = argparse.ArgumentParser(prog="contrib/bench/web", description="The web remote of Segue, and other pages.")
    parser.add_argument("--quick", action="store_true", help="a first look: short windows, once")
    parser.add_argument("--only", choices=["page", "load"], help="this part of Segue: its page, or what pages cost it")
    parser.add_argument("--build", metavar="FOLDER", type=pathlib.Path, help="measure the programs of that build")
    parser.add_argument(
        "--peer", nargs=4, action="append", default=[], metavar=("NAME", "URL", "SELECTOR", "SCRIPT"), help=(
            f"the page of another player that is running, with {short} tracks in its queue: a CSS selector of an entry, and a "
            "script that answers what the page asks at first, or an empty argument"))
    parser.add_argument("--repeat", type=int, metavar="N", help="rounds (default: 3, with --quick 1)")
    parser.add_argument("--write", action="store_true", help="put the medians into contrib/docs/benchmarks.md")
    options = parser.parse_args()
    for _, url, _, _ in options.peer:
        if urllib.parse.urlsplit(url).hostname != "127.0.0.1" or not urllib.parse.urlsplit(url).port:
            parser.error(f"not an address http://127.0.0.1:PORT/…: {url}")
    return options


def main():
    options = arguments()
    if options.build:
        Segue.choose("Segue", options.build.resolve())
    if not (Segue.build / "segue-web").exists():
        sys.exit(f"error: {Segue.build} contains no segue-web")
    repeats = options.repeat or (1 if options.quick else 3)
    with contextlib.ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox())
        os.environ.update(sandbox.environment("browser"))
        print("==> Making the music", file=sys.stderr)
        bench = Bench(sandbox, options.quick)
        stack.enter_context(Pulse(sandbox))
        for round in range(1, repeats + 1):
            say = lambda what: print(f"==> {what}, round {round} of {repeats}", file=sys.stderr, flush=True)
            if options.only != "load":
                say("the page of Segue")
                with Segue(sandbox) as player:
                    measure_page(bench, player)
                for peer in options.peer:
                    say(f"the page of {peer[0]}")
                    measure_peer(bench, *peer)
            if options.only != "page":
                say("connected pages")
                measure_load(bench, sandbox)
        table = bench.figures.table(["Segue", *(peer[0] for peer in options.peer)], None)
        for fact in machine.facts({}, bench.music_source):
            print(f"- {fact}")
        print(f"\n{table}")
        if options.write:
            write(table)


main()
