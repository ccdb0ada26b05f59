#!/usr/bin/env python3
"""Checks the texts of translations beyond what msgfmt does. Prints a line for each fault:

  - a placeholder such as PATH stays English, although the translation of the message "PATH" is another word. A name of an
    environment variable is none: $PATH, PATH=…, and in PATH;
  - a plural form is empty, or lacks an argument that another form of the message has, but for the count itself;
  - a translation ends with another mark, space or line feed than the message.

Usage: contrib/lib/translation_texts.py FILE.po…
"""

import re
import sys

FIELD = re.compile(r'^(msgid|msgid_plural|msgstr(?:\[\d+\])?) ((?:"(?:\\.|[^"\\])*"\n?)+)', re.MULTILINE)
QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"')
WORD = re.compile(r"(?<![A-Za-z_$])[A-Z]{2,}(?![A-Za-z_=])")
ARGUMENT = re.compile(r"%(\d+)\$")
ENDS = re.compile(r"(?:\\n| |[.?!:…])?$")
# Messages about these words as names: of the environment variable and of a signal.
NAMES = re.compile(r"(?:in|on the|resets) PATH|Signals: TERM")


def messages(path):
    """Yields the messages of a file: the texts of a message in English, and those of its translation."""
    with open(path, encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    for block in blocks[1:]:
        fields = [(key, "".join(QUOTED.findall(value))) for key, value in FIELD.findall(block)]
        originals = [value for key, value in fields if key.startswith("msgid")]
        yield originals, [value for key, value in fields if key.startswith("msgstr")]


def faults(path):
    """Yields the message and the fault of each faulty translation."""
    all_messages = list(messages(path))
    placeholders = {
        originals[0]: texts[0]
        for originals, texts in all_messages
        if WORD.fullmatch(originals[0]) and texts[0] != originals[0]
    }
    for originals, texts in all_messages:
        message = originals[0]
        # Signs such as the decimal mark are texts of their own.
        if message in placeholders or not re.search("[A-Za-z]", message):
            continue
        for text in texts:
            for word in WORD.findall(text):
                if word in placeholders and not NAMES.search(message):
                    yield message, f"{word} is {placeholders[word]} elsewhere"
        # Languages without articles leave out the count of one, as English does.
        arguments = [set(ARGUMENT.findall(text)) - {"1"} for text in texts]
        if len(texts) > 1 and (not all(texts) or any(other != arguments[0] for other in arguments)):
            yield message, "the plural forms have other arguments"
        for text in texts:
            if text and ENDS.search(text)[0] != ENDS.search(originals[-1])[0]:
                yield message, f"ends differently: {text[-30:]}"


found = False
for path in sys.argv[1:]:
    for message, fault in faults(path):
        found = True
        print(f"{path}: {message[:60]}: {fault}")
sys.exit(1 if found else 0)
