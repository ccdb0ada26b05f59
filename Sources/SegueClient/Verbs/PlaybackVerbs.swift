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
      "play", .playback, "[N|PATH|URL…]", 0...many, "go on, or play an entry, a file, a folder, a URL",
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
      "pause", .playback, "", 0...0, "stand still and keep the place", run: PlaybackVerbs.plain("pause")),
    Verb(
      "toggle", aliases: ["play-pause"], .playback, "", 0...0, "pause if it plays, play if not",
      run: PlaybackVerbs.plain("toggle")),
    Verb(
      "stop", .playback, "", 0...0, "stop; a long track keeps its place", run: PlaybackVerbs.plain("stop")),
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
        """, run: ChapterVerb.run),
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
  @Sendable static func status(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    if !session.options.flags.isEmpty { return try bar(session) }
    let result = try session.call(Request("status"))
    if session.options.json { return session.print(json: result) }
    let status = Status(result)
    if session.style.isTerminal, let track = status.track, track.metadata.art != nil {
      return try session.print(besideCoverOf: track.uri) { style in
        StatusScreen(status: status, style: style, now: .now).lines
      }
    }
    let lines =
      session.style.isTerminal
      ? StatusScreen(status: status, style: session.style, now: .now).lines : StatusFields.lines(status)
    for line in lines { session.console.line(line) }
  }

  /// `status` for a bar, or whatever wants a line.
  private static func bar(_ session: Session) throws(ClientError) {
    let options = session.options
    if options.json {
      throw .usage("--json is all that the daemon answers; with a line for a bar it is  --output json")
    }
    let (output, template) = (options.output ?? .plain, options.template ?? .standard)
    if options.flags.contains("--follow") {
      return try BarFollower(session: session, output: output, template: template).run()
    }
    let status = BarStatus(try session.call(Request("status")))
    session.console.part(bytes: BarFollower.line(status, output, template, session.style))
  }

  /// A method without parameters that answers a `Status`.
  static func plain(_ method: String) -> @Sendable (Session, [Argument]) throws(ClientError) -> Void {
    { (session, _) throws(ClientError) in try session.transport(Request(method)) }
  }

  /// `next` and `prev`.
  static func step(_ method: String) -> @Sendable (Session, [Argument]) throws(ClientError) -> Void {
    { (session, arguments) throws(ClientError) in
      guard let unit = arguments.first?.text else { return try session.transport(Request(method)) }
      guard unit == "track" else {
        throw .usage("\(method) takes “track” or nothing, not “\(unit)”", hints: ["segue help \(method)"])
      }
      try session.transport(Request(method) { $0.member("by", unit) })
    }
  }

  @Sendable static func play(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    guard let first = arguments.first else { return try start(session, Request("play")) }
    if let number = EntryRange.number(first.text) {
      guard arguments.count == 1 else {
        throw .usage(
          "play takes one entry's number, or paths", hints: ["./\(first.text)   is the file of that name"])
      }
      return try play(session, entry: number)
    }
    try session.withResources(arguments) { uris throws(ClientError) in
      try QueueVerbs.add(session, uris, at: "next", play: true)
    }
  }

  /// Calls `play`, and waits for the first sound.
  private static func start(_ session: Session, _ request: Request) throws(ClientError) {
    let answer = try session.call(request)
    try PlaybackStart(session: session, entry: Status(answer).track?.id).finish(answer)
  }

  private static func play(_ session: Session, entry number: Int) throws(ClientError) {
    do throws(ClientError) {
      try start(session, Request("play") { $0.member("index", number - 1) })
    } catch {
      // The daemon counts from 0, and its message too.
      throw error.kind == Failure.Kind.noSuchTrack.rawValue ? .noEntry(number) : error
    }
  }

  @Sendable static func seek(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let request = try seekRequest(arguments[0].text)
    do throws(ClientError) {
      try session.transport(request)
    } catch {
      // No place that can be typed lies before the start.
      guard error.kind == Failure.Kind.outOfRange.rawValue else { throw error }
      try session.transport(Request("next") { $0.member("by", "track") })
    }
  }

  private static func seekRequest(_ text: String) throws(ClientError) -> Request {
    if let share = TimeArgument.share(text) {
      return Request("seek") {
        $0.member("fraction", share)
      }
    }
    let amount = Adjustment(text)
    guard let time = TimeArgument.parse(amount.magnitude) else {
      throw .usage(
        "“\(text)” is no place to go to: a TIME like 90 or 1:30, +TIME, -TIME, or 0% to 100%",
        hints: ["segue help seek   has examples"])
    }
    return Request("seek") {
      switch amount.direction {
      case .to: $0.member("position", time)
      case .up: $0.member("offset", time)
      case .down: $0.member("offset", MediaTime.zero - time)
      }
    }
  }

  static func uris(_ arguments: [Argument]) throws(ClientError) -> [String] {
    var uris: [String] = []
    for argument in arguments { uris.append(try Resource.uri(argument)) }
    return uris
  }
}

extension Session {
  /// Calls a method that answers a `Status`, and says in one line what holds now.
  func transport(_ request: Request) throws(ClientError) {
    print(try call(request)) { StatusLine.of(Status($0), style) }
  }
}
