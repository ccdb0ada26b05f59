#!/usr/bin/env python3
"""Finds the messages of failures for xgettext: writes copies of Swift files, whose paths are read from standard input, to a
folder.

A literal that stands directly in the call of a function in FUNCTIONS is a LocalizableMessage. The copy consists of these
literals, on their lines, with their templates instead of their interpolations:

    throw Failure(.notFound, "\\(path): 100% lost")   becomes   localizable("%1$s: 100%% lost");

A literal that is continued with + is one message. The files of clients are copied as they are: their messages are calls of tr().
Usage: contrib/lib/failure_messages.py FOLDER <paths
"""

import os
import re
import sys

# The functions with a parameter of the type LocalizableMessage.
FUNCTIONS = [
    "Failure",
    "InvalidRequest",
    "InvalidValue",
    "LocalizableMessage",
    "MediaError",
    "StoreError",
    "unplayable",
    "damaged",
    "invalid",
]

# The folders that use tr().
CLIENTS = [
    "Sources/SegueCLI/",
    "Sources/SegueClientKit/",
    "Sources/SegueTUI/",
    "Sources/SegueWebCommands/",
    "Sources/segued/",
]

CALL = r"\b(?:" + "|".join(FUNCTIONS) + r")\("
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"""|"|' + CALL + r"|[()\[\]{}]", re.DOTALL)
PLUS = re.compile(r'\s*\+\s*(?=")')
COMPARISON = re.compile(r"[=!]=\s*\Z")


def end_of_interpolation(text, position):
    """Returns the position behind the bracket that closes the interpolation whose content begins at a position."""
    depth = 1
    while depth > 0:
        token = TOKEN.search(text, position)
        position = token.end()
        if token[0] in ('"', '"""'):
            position, _, _ = literal(text, token.start(), 0)
        elif token[0][-1] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
    return position


def literal(text, start, count):
    """Reads the literal at a position, which follows `count` arguments of the same message. Returns the position behind it, the
    literal as a template, and the number of arguments so far."""
    quotes = '"""' if text.startswith('"""', start) else '"'
    position = start + len(quotes)
    template = quotes
    while not text.startswith(quotes, position):
        if text.startswith("\\(", position):
            count += 1
            template += f"%{count}$s"
            position = end_of_interpolation(text, position + 2)
            continue
        length = 2 if text[position] == "\\" else 1
        template += text[position : position + length].replace("%", "%%")
        position += length
    return position + len(quotes), template + quotes, count


def messages(text):
    """Returns the messages of a file as calls of localizable(), each on its line."""
    result = ""
    position = 0
    brackets = []
    while token := TOKEN.search(text, position):
        position = token.end()
        if token[0] in ('"', '"""'):
            start = token.start()
            position, template, count = literal(text, start, 0)
            # Calls are longer than the other brackets. A literal behind == is a value that a message depends on.
            if not brackets or len(brackets[-1]) == 1 or COMPARISON.search(text[:start]):
                continue
            while plus := PLUS.match(text, position):
                position, more, count = literal(text, plus.end(), count)
                template += plus[0] + more
            result += "\n" * (text.count("\n", 0, start) - result.count("\n")) + f"localizable({template});"
        elif token[0][-1] in "([{":
            brackets.append(token[0])
        elif token[0] in ")]}" and brackets:
            brackets.pop()
    return result + "\n"


for path in sys.stdin.read().split():
    with open(path, encoding="utf-8") as file:
        text = file.read()
    copy = os.path.join(sys.argv[1], path)
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text if path.startswith(tuple(CLIENTS)) else messages(text))
