internal import SegueSystem
internal import SegueWire

extension Verb {
  static let playback = [
    Verb(
      "status", .playback, "[--follow] [--output BAR] [--format TEMPLATE]", 0...0,
      flags: ["--follow", "--output", "--format"], "what is heard, how far it is, and how it plays",
      details: """
        On a terminal a few lines with a bar; into a pipe always the same lines of
        “key: value”, in this order, empty for what is not known:

          state position duration duration-kind title artist album uri number length
          volume muted repeat shuffle consume sleep output device error

        position and duration are seconds, number and length count from 1, sleep is
        off, track, album, queue or seconds, output is idle, open or lost.

          segue status | sed -n 's/^title: //p'
          segue status --json | jq .metadata.album

        For a status bar, a prompt or a script it prints one line instead:

          --format TEMPLATE    the line, in the language of playerctl
          --output BAR         as that bar wants it: plain, json, waybar, polybar,
                               i3blocks, i3status-rs, yambar, eww or tmux
          --follow             a line for the state and one for every change of it,
                               whether a daemon is there or not, until nobody reads

          segue status --format '{{ artist }}: {{ lc(title) }}'
          segue status --follow --format '{{ duration(position) }} {{ title }}'
          segue status --follow --output waybar

        A template has title, artist, album, heading (title and artist), status,
        volume, position, loop, shuffle, playerName, mpris:length and what else
        MPRIS names; duration, trunc, lc, uc, default, emoji, markup_escape; and
        + - * / ( ). position and mpris:length are microseconds. segue(1) has the
        rest.
        """, run: PlaybackVerbs.status),
    Verb(
      "play", .playback, "[N|PATH|URL…]", 0...unlimited, "go on, or play an entry, a file, a folder, a URL",
      details: """
        Without an argument: goes on after a pause, or starts the current or first
        entry. With several paths the first is played and the rest come after it;
        what was in the queue stays there. Returns once the first sound is heard, or
        with the reason and exit status 1 if there is none; in two seconds at most.

          segue play                     go on
          segue play 7                   the seventh entry of the queue
          segue play ~/Music/Album       a folder, in the order of its disc
          segue play ./7                 a file that is called 7
          segue play https://example.org/radio.m3u
          segue play segue:album/12      of the library; help add has the others
        """, run: PlaybackVerbs.play),
    Verb(
      "pause", .playback, "", 0...0, "stand still and keep the place", run: PlaybackVerbs.simple("pause")),
    Verb(
      "toggle", aliases: ["play-pause"], .playback, "", 0...0, "pause if it plays, play if not",
      run: PlaybackVerbs.simple("toggle")),
    Verb(
      "stop", .playback, "", 0...0, "stop; a long track keeps its place", run: PlaybackVerbs.simple("stop")),
    Verb(
      "next", .playback, "[track]", 0...1, "the next track, or chapter",
      details: """
        A file with chapters is gone through chapter by chapter.

          segue next track               past the whole file
        """, run: PlaybackVerbs.step("next")),
    Verb(
      "prev", aliases: ["previous"], .playback, "[track]", 0...1, "the track before, or chapter",
      details: """
        In the midst of a chapter, or of a long track, goes to its start first.

          segue prev track               before the whole file
        """, run: PlaybackVerbs.step("prev")),
    Verb(
      "chapters", .playback, "[PATH]", 0...1, "the chapters of a file, the one that is heard marked",
      details: """
        Of the current track without a PATH. Into a pipe: number, start, title, and
        “current” or nothing, with tabs between.
        """, run: TrackVerbs.chapters),
    Verb(
      "seek", .playback, "[+|-]TIME|N%", 1...1, "go to a place in the track",
      details: """
          segue seek 90                  to a minute and a half
          segue seek 1:02:03.5           hours, minutes, seconds
          segue seek +10                 ten seconds on (10+ is the same)
          segue seek -1:30               a minute and a half back (1:30- too)
          segue seek 50%                 to the middle

        Before the start is the start; past the end is the next track.
        """, run: PlaybackVerbs.seek),
  ]
}

enum PlaybackVerbs {
  @Sendable static func status(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if !context.options.flags.isEmpty { return try printBar(context) }
    let result = try context.call(Request("status"))
    if context.options.json { return context.print(json: result) }
    let status = Status(result)
    if context.style.isTerminal, let track = status.track, track.metadata.art != nil {
      return try context.print(besideCoverOf: track.uri) { style in
        StatusScreen(status: status, style: style, now: .now).lines
      }
    }
    let lines =
      context.style.isTerminal
      ? StatusScreen(status: status, style: context.style, now: .now).lines : StatusFields.lines(status)
    for line in lines { context.console.printLine(line) }
  }

  /// Prints the line for a status bar, once or continuously.
  private static func printBar(_ context: VerbContext) throws(ClientError) {
    let options = context.options
    if options.json {
      throw .usage("--json is all that the daemon answers; with a line for a bar it is  --output json")
    }
    let (output, template) = (options.output ?? .plain, options.template ?? .standard)
    if options.flags.contains("--follow") {
      return try BarFollower(context: context, output: output, template: template).run()
    }
    let status = BarStatus(try context.call(Request("status")))
    context.console.write(BarFollower.line(status, output, template, context.style))
  }

  /// Returns a verb that calls a method without parameters and prints the resulting `Status`.
  static func simple(_ method: String) -> @Sendable (VerbContext, [Argument]) throws(ClientError) -> Void {
    { (context, _) throws(ClientError) in try context.callTransport(Request(method)) }
  }

  /// Returns the verb `next` or `prev`.
  static func step(_ method: String) -> @Sendable (VerbContext, [Argument]) throws(ClientError) -> Void {
    { (context, arguments) throws(ClientError) in
      guard let unit = arguments.first?.text else { return try context.callTransport(Request(method)) }
      guard unit == "track" else {
        throw .usage("\(method) takes “track” or nothing, not “\(unit)”", hints: ["segue help \(method)"])
      }
      try context.callTransport(Request(method) { $0.member("by", unit) })
    }
  }

  @Sendable static func play(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    guard let first = arguments.first else { return try start(context, Request("play")) }
    if let number = EntryRange.positiveInteger(first.text) {
      guard arguments.count == 1 else {
        throw .usage(
          "play takes one entry's number, or paths", hints: ["./\(first.text)   is the file of that name"])
      }
      return try play(context, entry: number)
    }
    try context.withResources(arguments) { uris throws(ClientError) in
      try QueueVerbs.add(context, uris, at: "next", play: true)
    }
  }

  /// Sends a `play` request and waits for the start of playback.
  private static func start(_ context: VerbContext, _ request: Request) throws(ClientError) {
    let response = try context.call(request)
    try PlaybackStart(context: context, entry: Status(response).track?.id).waitAndPrint(response)
  }

  private static func play(_ context: VerbContext, entry number: Int) throws(ClientError) {
    do throws(ClientError) {
      try start(context, Request("play") { $0.member("index", number - 1) })
    } catch {
      // The daemon's message contains an index that is counted from 0.
      throw error.kind == Failure.Kind.noSuchTrack.rawValue ? .noEntry(number) : error
    }
  }

  @Sendable static func seek(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let request = try seekRequest(arguments[0].text)
    do throws(ClientError) {
      try context.callTransport(request)
    } catch {
      // The position is past the end, because no argument can specify one before the start.
      guard error.kind == Failure.Kind.outOfRange.rawValue else { throw error }
      try context.callTransport(Request("next") { $0.member("by", "track") })
    }
  }

  private static func seekRequest(_ text: String) throws(ClientError) -> Request {
    if let fraction = TimeArgument.fraction(text) {
      return Request("seek") {
        $0.member("fraction", fraction)
      }
    }
    let adjustment = Adjustment(text)
    guard let time = TimeArgument.parse(adjustment.magnitude) else {
      throw .usage(
        "“\(text)” is no place to go to: a TIME like 90 or 1:30, +TIME, -TIME, or 0% to 100%",
        hints: ["segue help seek   has examples"])
    }
    return Request("seek") {
      switch adjustment.direction {
      case .to: $0.member("position", time)
      case .up: $0.member("offset", time)
      case .down: $0.member("offset", MediaTime.zero - time)
      }
    }
  }

}

extension VerbContext {
  /// Calls a method that returns a `Status` and prints it in one line.
  func callTransport(_ request: Request) throws(ClientError) {
    print(try call(request)) { StatusLine.of(Status($0), style) }
  }
}
