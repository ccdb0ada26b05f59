import argparse
import contextlib
import pathlib
import sys

from . import machine, music, report, sections
from .figures import Figures
from .load import Echo, Load
from .players import Segue, everyone
from .pulse import Pulse
from .sandbox import Sandbox


class Bench:
    """The environment of every section."""

    def __init__(self, sandbox, pulse, load, quick):
        self.sandbox, self.pulse, self.load = sandbox, pulse, load
        self.environment = sandbox.environment("monitor")
        self.files, self.music_source = music.make(sandbox.folder("music"))
        self.seconds = 5 if quick else 20   # of measured playback
        self.idle = 5 if quick else 30      # of measured pause and stop
        self.rounds = 1 if quick else 4     # repetitions of short actions
        self.collections = {}               # words of titles, by number of files
        self.figures = Figures()

    def note(self, figure, kind, value):
        self.figures.note(figure, kind.name, value)
        print(f"    {figure.label}: {value:,.{figure.places}f}", file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="contrib/bench/run", description="Segue beside mpd, mpv and cmus.")
    parser.add_argument("--quick", action="store_true", help="a first look: short windows, once")
    parser.add_argument("--only", choices=sections.every, action="append", metavar="SECTION",
                        help=f"this section ({', '.join(sections.every)}); may be given again")
    parser.add_argument("--merge", action="store_true", help="put the rows into RESULTS.md and docs/benchmarks.md")
    parser.add_argument("--peers", metavar="NAME,…", help="these beside Segue (default: all that are installed)")
    parser.add_argument("--before", metavar="FOLDER", type=pathlib.Path,
                        help="another build of Segue beside this one, such as the .build/release of an earlier commit")
    parser.add_argument("--repeat", type=int, metavar="N", help="rounds (default: 3, with --quick 1)")
    options = parser.parse_args()
    if options.before and options.merge:
        parser.error("--before compares two builds, whose rows do not belong into RESULTS.md")
    return options


def chosen(names):
    wanted = None if names is None else {"segue", *names.lower().split(",")}
    kinds = [kind for kind in everyone if wanted is None or kind.name.lower() in wanted]
    unknown = (wanted or set()) - {kind.name.lower() for kind in kinds} - {""}
    if unknown:
        sys.exit(f"error: no such player: {', '.join(unknown)}")
    for kind in kinds:
        if not kind.installed():
            print(f"==> {kind.name} is not installed", file=sys.stderr)
    return [kind for kind in kinds if kind.installed()]


def builds(before):
    """The builds of Segue that are measured, by the names of their columns."""
    every = {"Segue": Segue.build}
    if before:
        if not (before / "segued").exists():
            sys.exit(f"error: {before} contains no segued; build that commit with contrib/run, and name its .build/release")
        every["before"] = before.resolve()
    return every


def takers(kinds, builds, round):
    """Yields the players in their order in a round. The builds of Segue take turns in being the first."""
    for kind in kinds:
        if kind is not Segue:
            yield kind
            continue
        for name in list(builds)[::-1 if round % 2 == 0 else 1]:
            Segue.choose(name, builds[name])
            yield kind


def main():
    options = arguments()
    names = options.only or list(sections.every)
    repeats = options.repeat or (1 if options.quick else 3)
    kinds = chosen(options.peers)
    ours = builds(options.before)
    with contextlib.ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox())
        print("==> Making the music", file=sys.stderr)
        bench = Bench(sandbox, stack.enter_context(Pulse(sandbox)), Load(sandbox), options.quick)
        versions = {}
        for kind in takers(kinds, ours, 1):
            with kind(sandbox) as player:
                versions[kind.name] = player.version()
        for round in range(1, repeats + 1):
            for name in names:
                if name == "answers":
                    with Echo(bench.load) as echo:
                        print(f"==> {name}, round {round} of {repeats}: the echo server", file=sys.stderr)
                        sections.loads(bench, Echo, echo, "stopped")
                for kind in takers(kinds, ours, round):
                    print(f"==> {name}, round {round} of {repeats}: {kind.name}", file=sys.stderr, flush=True)
                    sections.every[name](bench, kind)
        peers = [kind.name for kind in kinds if kind is not Segue]
        columns = [*ours, *peers, *["echo"] * ("answers" in names)]
        table = bench.figures.table(columns, "before" if options.before else "MPD")
        text = report.markdown(machine.facts(versions, bench.music_source), table, repeats)
        print(text)
        if options.merge:
            report.merge(table)
        elif not options.quick and not options.only and not options.before:
            report.write(text, table)


main()
