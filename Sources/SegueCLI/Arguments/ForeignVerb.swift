/// A table of the words of mpc(1), cmus-remote(1), mpv(1) and playerctl(1) that are no verbs of this program.
enum ForeignVerb {
  /// Returns the arguments of `segue` that do what `word` does in another program; nil if there are none.
  static func equivalent(of word: String) -> String? { equivalents[word] }

  private static let equivalents = [
    // mpc
    "single": "sleep track", "idle": "watch", "idleloop": "watch", "lsplaylists": "playlist",
    "load": "playlist load NAME", "save": "playlist save NAME", "listall": "tracks", "lsdirs": "folders",
    "findadd": "search QUERY --add", "searchadd": "search QUERY --add", "searchplay": "find WORD",
    "queued": "next --show", "cdprev": "prev", "seekthrough": "seek +TIME", "replaygain": "gain",
    "enable": "outputs NAME", "disable": "outputs default", "toggleoutput": "outputs NAME", "sticker": "rate",
    "albumart": "art", "readpicture": "art", "rescan": "scan", "prio": "insert PATH",
    "addplaylist": "playlist add NAME",
    // cmus-remote
    "player-next": "next", "player-prev": "prev", "player-play": "play", "player-pause": "toggle",
    "player-pause-playback": "pause", "player-stop": "stop", "win-add-q": "insert PATH",
    "set": "settings set NAME VALUE",
    // mpv
    "cycle": "toggle", "quit": "shutdown", "exit": "shutdown", "playlist-next": "next", "playlist-prev": "prev",
    "playlist-clear": "clear", "playlist-shuffle": "shuffle on", "loadfile": "play PATH", "loadlist": "play PATH",
    "chapter": "chapters N", "loop-file": "repeat one", "loop-playlist": "repeat all", "show-progress": "status",
    "audio-device": "outputs",
    // playerctl
    "position": "seek TIME", "metadata": "current", "open": "play PATH", "loop": "repeat",
    // Words that several programs have.
    "start": "play", "skip": "next", "back": "prev", "enqueue": "add PATH", "append": "add PATH", "np": "current",
    "now-playing": "current", "devices": "outputs", "sinks": "outputs", "config": "settings",
    "get": "settings get NAME", "kill": "shutdown",
  ]
}
