from .cmus import CMUS
from .mpd import MPD
from .mpv import MPV
from .segue import Segue

everyone = (Segue, MPD, MPV, CMUS)
