"""Where the table goes: the screen, RESULTS.md, and the README between its two marks."""

import pathlib
import re

folder = pathlib.Path(__file__).resolve().parents[1]
results = folder / "RESULTS.md"
readme = folder.parents[1] / "README.md"
marks = "<!-- bench -->\n", "<!-- /bench -->\n"


def markdown(facts, table, repeats):
    rounds = "one round" if repeats == 1 else f"medians of {repeats} rounds"
    return "\n".join([
        "# Segue beside its peers",
        "",
        f"Printed by `contrib/bench/run`: {rounds}, in which the players took turns.",
        "",
        *(f"- {fact}" for fact in facts),
        "",
        table,
    ])


def write(text, table):
    results.write_text(text)
    begin, end = map(re.escape, marks)
    old = readme.read_text()
    readme.write_text(re.sub(f"({begin}).*?({end})", lambda found: found[1] + table + found[2], old, flags=re.S))
