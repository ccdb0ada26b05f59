#!/usr/bin/env python3
"""Draws the screen of a terminal as SVG. Reads what `tmux capture-pane -e -N -p` prints; the argument is the number of columns."""

import re
import sys
import unicodedata
from html import escape

CELL = (9, 19)  # the width and height of a cell in pixels
FOREGROUND, BACKGROUND = "#d8dee9", "#1f2430"
BASIC = ["#2e3440", "#bf616a", "#a3be8c", "#ebcb8b", "#81a1c1", "#b48ead", "#88c0d0", "#e5e9f0",
         "#4c566a", "#d08770", "#a3be8c", "#ebcb8b", "#81a1c1", "#b48ead", "#8fbcbb", "#eceff4"]


def palette(index):
    """Returns the colour of xterm's palette with an index."""
    if index < 16:
        return BASIC[index]
    if index >= 232:
        return "#" + f"{8 + 10 * (index - 232):02x}" * 3
    levels = [0, 95, 135, 175, 215, 255]
    index -= 16
    return "#" + "".join(f"{levels[part]:02x}" for part in (index // 36, index // 6 % 6, index % 6))


class Style:
    """The look of the characters that follow (ECMA-48, SGR)."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.foreground = self.background = None
        self.bold = self.dim = self.underlined = self.reversed = False

    def apply(self, numbers):
        numbers = list(numbers) or [0]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.reset()
            elif number in (1, 2, 4, 7):
                setattr(self, {1: "bold", 2: "dim", 4: "underlined", 7: "reversed"}[number], True)
            elif number == 22:
                self.bold = self.dim = False
            elif number == 24:
                self.underlined = False
            elif number == 27:
                self.reversed = False
            elif number in (38, 48):
                color = palette(numbers.pop(1)) if numbers[0] == 5 else "#%02x%02x%02x" % tuple(numbers[1:4])
                del numbers[:1 if numbers[0] == 5 else 4]
                setattr(self, "foreground" if number == 38 else "background", color)
            elif number in (39, 49):
                setattr(self, "foreground" if number == 39 else "background", None)
            elif 30 <= number <= 37 or 90 <= number <= 97:
                self.foreground = palette(number - 30 if number < 90 else number - 82)
            elif 40 <= number <= 47 or 100 <= number <= 107:
                self.background = palette(number - 40 if number < 100 else number - 92)

    def colors(self):
        """Returns the colours of the text and of the area behind it."""
        pair = (self.foreground or FOREGROUND, self.background or BACKGROUND)
        return pair[::-1] if self.reversed else pair


def width(character):
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def rectangle(column, row, columns, color, half=None):
    height = CELL[1] if half is None else CELL[1] / 2
    top = row * CELL[1] + (CELL[1] / 2 if half == 1 else 0)
    return f'<rect x="{column * CELL[0]}" y="{top}" width="{columns * CELL[0]}" height="{height}" fill="{color}"/>'


def text(column, row, content, columns, style):
    look = f' fill="{style.colors()[0]}"'
    if style.bold:
        look += ' font-weight="bold"'
    if style.dim:
        look += ' opacity="0.6"'
    if style.underlined:
        look += ' text-decoration="underline"'
    return (f'<text x="{column * CELL[0]}" y="{row * CELL[1] + 14}" textLength="{columns * CELL[0]}" '
            f'xml:space="preserve"{look}>{escape(content)}</text>')


def draw(line, row):
    """Returns the elements of a line of the screen."""
    areas, texts, style, column = [], [], Style(), 0
    for sequence, characters in re.findall("(?:\x1b\\[([0-9;:]*)m)|([^\x1b]+)", line):
        if not characters:
            style.apply(int(number) for number in re.split("[;:]", sequence) if number)
            continue
        foreground, background = style.colors()
        columns = sum(map(width, characters))
        if set(characters) == {"▀"}:
            areas += [rectangle(column, row, columns, foreground, 0), rectangle(column, row, columns, background, 1)]
        else:
            if background != BACKGROUND:
                areas.append(rectangle(column, row, columns, background))
            start = column
            for part in re.findall(r"\S+(?: \S+)*| +", characters):
                size = sum(map(width, part))
                if part.strip():
                    texts.append(text(start, row, part, size, style))
                start += size
        column += columns
    return areas + texts


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    size = (int(sys.argv[1]) * CELL[0], len(lines) * CELL[1])
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {size[0] + 16} {size[1] + 16}" '
          f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15" shape-rendering="crispEdges">')
    print(f'<rect x="-8" y="-8" width="{size[0] + 16}" height="{size[1] + 16}" rx="6" fill="{BACKGROUND}"/>')
    for row, line in enumerate(lines):
        for element in draw(line, row):
            print(element)
    print("</svg>")


main()
