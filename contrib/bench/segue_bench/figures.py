"""The measured values of each player, and the table of their medians."""

import dataclasses
import statistics


@dataclasses.dataclass(frozen=True)
class Figure:
    label: str
    places: int = 0      # decimal places


class Figures:
    """All values of every figure and player, in the order of their first value."""

    def __init__(self):
        self._values = {}

    def note(self, figure, player, value):
        self._values.setdefault(figure, {}).setdefault(player, []).append(value)

    def median(self, figure, player):
        values = self._values[figure].get(player)
        return statistics.median(values) if values else None

    def table(self, players, compared):
        """Returns a Markdown table: a row for each figure, a column for each player, and the ratio of Segue to `compared` if
        both are players."""
        compares = {"Segue", compared} <= set(players)
        rows = [["", *players, *([f"Segue : {compared}"] if compares else [])]]
        for figure in self._values:
            medians = [self.median(figure, player) for player in players]
            cells = ["–" if value is None else f"{value:,.{figure.places}f}" for value in medians]
            if compares:
                ours, theirs = self.median(figure, "Segue"), self.median(figure, compared)
                cells.append(f"{ours / theirs:.2f}" if ours is not None and theirs else "–")
            rows.append([figure.label, *cells])
        return markdown(rows)


def markdown(rows):
    """Returns a Markdown table of rows of cells, the first of which is the heading."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    pad = lambda row: [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
    lines = [pad(rows[0]), rule, *map(pad, rows[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
