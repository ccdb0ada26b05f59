#!/usr/bin/env python3
"""Finds texts of clients that are not translated. Reads paths of Swift files from standard input and prints a line for each fault:

  - a call of tr() or trn() in the interpolation of a literal, however deep: xgettext reads a literal as a whole and misses it;
  - a literal with a word that has an interpolation, such as "\\(count) tracks", or is an argument of a function in PRINTING, but
    no argument of tr() or trn();
  - any other literal that looks like a text (TEXT): it has two words, a word in parentheses, the end of a sentence, or is a
    single word with a capital letter.

A literal for programs is none of these: one that begins like a command, has the form of a path, of fields or of usage lines
(PROGRAMS), stands in the call of a function in OTHERS, or in a file of TABLES. Usage: contrib/lib/untranslated.py <paths
"""

import os
import re
import sys

TRANSLATING = {"tr", "trn", "trLater"}

# The functions whose literals are not for people: names of requests, members of JSON and lines for programs.
OTHERS = {"EncodedRequest", "member", "preconditionFailure", "fatalError", "precondition"}

# The functions that print their arguments.
PRINTING = {"ClientError", "printError", "printLine", "printNotice", "showProgress", "usage"}

# The forms of literals for programs: commands, escape sequences, paths, fields, comments of configuration files, and usage lines,
# whose placeholders are translated when they are shown.
PROGRAMS = re.compile(r"(?:segue|segue-ui|systemctl|exec|man) |[^ ]*/|[^ ]*[|,]|#|--|\[|[A-Z]{2,}…$")

# The files with tables of words that users type: commands of other programs, names of keys, and settings of ui.conf. The names
# of keys that are translated are those in `Key.label`.
TABLES = {
    "ForeignVerb.swift",
    "InterfaceConfiguration.swift",
    "InterfaceSetting.swift",
    "Key+Name.swift",
    "Key.swift",
}

# Words with a capital letter that are the same in every language: units in lines for programs, and keys of units of systemd.
NAMES = {"Hz", "Listen"}

# What precedes the raw value of a case, which is a name for programs.
RAW_VALUE = re.compile(r"\bcase \w+ = \Z")

TEXT = re.compile(r"[A-Za-z]{2,} +\(?[A-Za-z]{2,}|\([A-Za-z]{2,}|[A-Za-z]{2,}[.:…!?]$|[A-Z][a-z]+$")

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
OPENING = re.compile(r'(#*)("""|")')
CALL = re.compile(r"([A-Za-z_]\w*)?([(\[{])")
WORD = re.compile(r"(?<![\w\\.$%-])[A-Za-z]{2,}(?![\w:=(-])")


class Scanner:
    """A scanner of one file. It knows the literals and the brackets of Swift, and nothing else."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.faults = []

    def fault(self, position, message):
        line = self.text.count("\n", 0, position) + 1
        self.faults.append(f"{self.path}:{line}: {message}")

    def scan(self, position, calls, depth, end=None):
        """Scans code from a position to the closing bracket of the kind `end`, or to the end of the file. `calls` are the
        names before the open brackets, and `depth` is the number of literals around the code. Returns the position behind
        the bracket."""
        text = self.text
        while position < len(text):
            if comment := COMMENT.match(text, position):
                position = comment.end()
            elif opening := OPENING.match(text, position):
                position = self.literal(opening, calls, depth)
            elif call := CALL.match(text, position):
                name, bracket = call[1] or "", call[2]
                if bracket == "(" and name in TRANSLATING and depth > 0:
                    self.fault(position, f"{name}() in the interpolation of a literal is not found by xgettext")
                closing = {"(": ")", "[": "]", "{": "}"}[bracket]
                position = self.scan(call.end(), calls + [name], depth, closing)
            elif text[position] == end:
                return position + 1
            elif word := re.compile(r"\w+").match(text, position):
                position = word.end()
            else:
                position += 1
        return position

    def literal(self, opening, calls, depth):
        """Scans a literal. Returns the position behind it."""
        text, (hashes, quotes) = self.text, opening.groups()
        start = opening.start()
        position = opening.end()
        escape = "\\" + hashes
        content = ""
        interpolations = 0
        while not text.startswith(quotes + hashes, position):
            if text.startswith(escape + "(", position):
                interpolations += 1
                content += "\0"
                position = self.scan(position + len(escape) + 1, calls, depth + 1, ")")
            elif text.startswith(escape, position):
                content += " "
                position += len(escape) + 1
            else:
                content += text[position]
                position += 1
        isTranslated = any(name in TRANSLATING or name in OTHERS for name in calls)
        content = content.strip()
        isRawValue = RAW_VALUE.search(text, max(0, start - 80), start) is not None
        looksLikeText = not isRawValue and self.looks_like_text(content)
        isForPeople = interpolations > 0 or bool(calls) and calls[-1] in PRINTING or looksLikeText
        if isForPeople and not hashes and not isTranslated and WORD.search(content) and not PROGRAMS.match(content):
            self.fault(start, "not translated: " + " ".join(content.replace("\0", "…").split()))
        return position + len(quotes + hashes)

    def looks_like_text(self, content):
        """Whether a literal without interpolations looks like a text for people."""
        found = TEXT.match(content) if " " not in content else TEXT.search(content)
        return bool(found) and content not in NAMES and os.path.basename(self.path) not in TABLES


faults = []
for path in sys.stdin.read().split():
    with open(path, encoding="utf-8") as file:
        scanner = Scanner(path, file.read())
    scanner.scan(0, [], 0)
    faults += scanner.faults
print("\n".join(faults), end="\n" if faults else "")
