#!/usr/bin/python3
"""Stories of people with a browser. Usage: stories.py STORY URL [VALUE…]. Exits with status 0 if everything is as expected."""
import sys

import accounts
import appearance
import finding
import firefox
import playing

STORIES = {name: story for part in (accounts, appearance, finding, firefox, playing) for name, story in vars(part).items()
           if getattr(story, "__module__", None) == part.__name__}

if __name__ == "__main__":
  try:
    STORIES[sys.argv[1]](*sys.argv[2:])
  except AssertionError as failure:
    sys.exit(f"{sys.argv[1]}: {failure}")
