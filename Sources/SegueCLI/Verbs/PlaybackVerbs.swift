internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The verbs `status`, `play` and `seek`, and those that only call a method: `pause`, `toggle`, `stop`, `next` and
/// `prev`.
enum PlaybackVerbs {
  static let status = Verb(
    "status", .playback, "[--follow] [--output BAR] [--format TEMPLATE]", 0...0,
    options: [.follow, .output, .format], tr("show the current track, position and modes"),
    details: tr(
      """
      On a terminal, the output has a few lines with a progress bar. In a pipe, it
      consists of “key: value” lines in this order; unknown values are empty:

        state position duration duration-kind title artist album uri number length
        volume muted repeat shuffle consume sleep output device error
        stream buffered station next-title next-artist speed

      position, duration and buffered are in seconds, number counts from 1, sleep
      is off, track, album, queue or a number of seconds, output is idle, open or
      lost, stream is connecting, buffering or live.

        segue status | sed -n 's/^title: //p'
        segue status --json | jq .metadata.album

      These options print a single line for a status bar, a prompt or a script:

        --format TEMPLATE    the line, in playerctl's template language
        --output BAR         the format of a bar: plain, json, waybar, polybar,
                             i3blocks, i3status-rs, yambar, eww or tmux
        --follow             print a line now and after every change, and reconnect
                             if the daemon restarts

        segue status --format '{{ artist }}: {{ lc(title) }}'
        segue status --follow --format '{{ duration(position) }} {{ title }}'
        segue status --follow --output waybar

      Variables: title, artist, album, heading (title and artist), status, volume,
      position, loop, shuffle, speed, stream, station, nextTitle, nextArtist,
      playerName, mpris:length and other MPRIS names.
      Functions: duration, trunc, lc, uc, default, emoji, markup_escape. Operators:
      + - * / ( ). position and mpris:length are in microseconds. If there is no
      track, a line with its variables is empty. See segue(1).
      """), run: status)

  static let current = Verb(
    "current", .playback, "", 0...0, tr("show the current track in one line"),
    details: tr(
      """
      The exit status is 1 if there is no current track.   segue status   shows
      more, and prints other lines; see   segue help status.

        segue current
      """), run: current)

  static let play = Verb(
    "play", aliases: ["resume"], .playback, "[N|PATH|URL…]", 0...Verb.unlimited,
    values: ArgumentValues { $0.isEmpty ? [.entries, .resources] : ArgumentValues.resources(after: $0) },
    tr("resume, or play an entry, result, file or URL"),
    details: tr(
      """
      Without an argument, resumes after a pause, or starts the current or first
      entry. Paths and URLs are inserted after the current entry, and the first of
      them is played. Returns when playback starts, or after two seconds at the
      latest. The exit status is 1 if playback cannot start.

      A number means a result if this shell printed numbered results after the last
        segue list , and an entry of the queue otherwise. Results are also inserted
      after the current entry, and their titles are printed.

        segue play                     resume playback
        segue play 7                   entry 7 of the queue, or result 7
        segue play 2,4-6               results 2 and 4 to 6
        segue play ~/Music/Album       a folder, in track order
        segue play ./7                 a file named 7
        segue play https://example.org/radio.m3u
        segue play album kind of blue  an album by its name; also artist, track,
                                       genre and playlist
        segue play segue:album/12      the same by its URI
      """), run: play)

  static let pause = Verb(
    "pause", .playback, "", 0...0, tr("pause playback"),
    details: tr(
      """
        segue pause
        segue play                     resume
      """), run: simple(PauseRequest()))

  static let toggle = Verb(
    "toggle", aliases: ["play-pause"], .playback, "", 0...0, tr("toggle between play and pause"),
    details: tr(
      """
        segue toggle
      """), run: simple(ToggleRequest()))

  static let stop = Verb(
    "stop", .playback, "", 0...0, tr("stop playback"),
    details: tr(
      """
      The track will start from its beginning, but a track that is long enough for a
      bookmark resumes where it was stopped.

        segue stop
        segue sleep track              stop after this track
      """), run: simple(StopRequest()))

  static let next = Verb(
    "next", .playback, "[track] | --show", 0...1, options: [.show], values: .first(.words([StepUnit.track.rawValue])),
    tr("skip to the next track or chapter"),
    details: tr(
      """
      In a file with chapters, skips to the next chapter. With --show, prints the
      track that follows, shuffled or not, and skips nothing; the exit status is 1
      if playback ends after the current track.

        segue next track               skip the rest of the file
        segue next --show
      """), run: next)

  static let previous = Verb(
    "prev", aliases: ["previous"], .playback, "[track]", 0...1, values: .first(.words([StepUnit.track.rawValue])),
    tr("go back to the previous track or chapter"),
    details: tr(
      """
      In the middle of a chapter or of a long track, goes back to its start first.

        segue prev track               the previous file
      """), run: previous)

  static let seek = Verb(
    "seek", .playback, "[+|-]TIME|N%", 1...1, tr("seek to a position in the track"),
    details: tr(
      """
        segue seek 90                  to 1 minute 30 seconds
        segue seek 1:02:03.5           to hours, minutes and seconds
        segue seek +10                 10 seconds forward (also 10+)
        segue seek -1:30               90 seconds back (also 1:30-)
        segue seek 50%                 to the middle

      Positions before the start mean the start; positions past the end skip to the
      next track.
      """), run: seek)

  @Sendable static func status(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if !context.options.verbOptions.isEmpty { return try printBar(context) }
    let result = try context.call(StatusRequest())
    if context.printsJSON { return context.print(json: result.json) }
    let status = result.value
    let chapter = try context.currentChapter(of: status)
    if context.style.isTerminal, let track = status.track, track.metadata.art != nil {
      return try context.print(besideCoverOf: track.uri) { style in
        StatusScreen(status: status, style: style, now: .now, chapter: chapter).lines
      }
    }
    let lines =
      context.style.isTerminal
      ? StatusScreen(status: status, style: context.style, now: .now, chapter: chapter).lines
      : StatusFields.lines(status, chapter)
    for line in lines { context.console.printLine(line) }
  }

  /// Prints the line for a status bar, once or continuously.
  private static func printBar(_ context: VerbContext) throws(ClientError) {
    if context.printsJSON {
      throw .usage(tr("--json cannot be combined with --follow, --output or --format; use  --output json"))
    }
    let format = BarFormat(context.options.verbOptions)
    if context.options.isGiven(.follow) { return try BarFollower(context: context, format: format).run() }
    let status = BarStatus(try context.call(StatusRequest()).json)
    context.console.write(format.line(status, context.style))
  }

  @Sendable static func current(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let track = try context.currentTrack()
    if context.printsJSON { return context.print(encoded: track) }
    context.console.printLine(track.heading(context.style))
  }

  /// Returns a verb that calls a method without parameters and prints the resulting `Status`.
  static func simple(
    _ request: some ProtocolRequest<Status>
  ) -> @Sendable (VerbContext, [Argument]) throws(ClientError) -> Void {
    { (context, _) throws(ClientError) in try context.callTransport(request) }
  }

  @Sendable static func next(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    guard context.options.isGiven(.show) else {
      return try context.callTransport(NextRequest(by: try stepUnit("next", arguments)))
    }
    if !arguments.isEmpty { throw .usage(tr("--show takes no argument"), hints: ["segue help next"]) }
    guard let json = try context.call(StatusRequest()).json["next"], !json.isNull else {
      throw ClientError(.failed, tr("no track follows"), kind: Failure.Kind.noSuchTrack.rawValue)
    }
    context.print(Response<QueueEntry>(json)) { "\($0.index.oneBased): \($0.heading(context.style))" }
  }

  @Sendable static func previous(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try context.callTransport(PrevRequest(by: try stepUnit("prev", arguments)))
  }

  /// Returns the unit of the steps of the verbs `next` and `prev`.
  private static func stepUnit(_ verb: String, _ arguments: [Argument]) throws(ClientError) -> StepUnit {
    guard let unit = arguments.first?.text else { return .chapter }
    guard unit == StepUnit.track.rawValue else {
      throw .usage(
        tr("invalid argument “%1$s” for %2$s: use track or no argument", unit, verb),
        hints: ["segue help \(verb)"])
    }
    return .track
  }

  @Sendable static func play(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    guard let first = arguments.first else { return try start(context, PlayRequest()) }
    let results = VerbContext.ranges(first) == nil ? nil : context.latestResults()
    if let results, try play(context, arguments, from: results) { return }
    if let number = EntryRange.positiveInteger(first.text), arguments.count == 1 {
      return try play(context, entry: number)
    }
    // These are entries of the queue, even if there are results of an earlier list.
    if let ranges = VerbContext.ranges(first), (try? Resource.uri(first)) == nil {
      throw .usage(
        tr("play takes a single entry number, or paths"),
        hints: ["segue play \(ranges[0].first)", tr("./%1$s   names the file %1$s", first.text)])
    }
    try context.withResources(arguments) { uris throws(ClientError) in
      try QueueVerbs.add(context, uris, .playNow)
    }
  }

  /// Plays the results if all arguments are numbers. Returns false if they are not.
  private static func play(
    _ context: VerbContext, _ arguments: [Argument], from list: ResultList
  ) throws(ClientError) -> Bool {
    var results: [ResultList.Result] = []
    for argument in arguments {
      guard let ranges = VerbContext.ranges(argument) else { return false }
      let named = try list.results(ranges) {
        tr("segue list   prints the queue; then   segue play %1$d   plays entry %1$d", $0)
      }
      for (number, result) in named {
        results.append(result)
        if !context.printsJSON { context.console.printLine("\(number): \(result.title.visible)") }
      }
    }
    _ = try context.flush()
    try QueueVerbs.add(context, results.map(\.uri), .playNow)
    return true
  }

  /// Sends a `play` request and waits for the start of playback.
  private static func start(_ context: VerbContext, _ request: PlayRequest) throws(ClientError) {
    let response = try context.call(request)
    try PlaybackStart(context: context, entry: response.value.track?.id).waitAndPrint(response)
  }

  private static func play(_ context: VerbContext, entry number: Int) throws(ClientError) {
    do throws(ClientError) {
      try start(context, PlayRequest(.index(number - 1)))
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
      try context.callTransport(NextRequest(by: .track))
    }
  }

  private static func seekRequest(_ text: String) throws(ClientError) -> SeekRequest {
    if let fraction = TimeText.fraction(text) { return SeekRequest(.fraction(fraction)) }
    let adjustment = Adjustment(text)
    guard let time = TimeText.parse(adjustment.magnitude) else {
      throw .usage(
        tr("invalid position “%1$s”: use a TIME like 90 or 1:30, +TIME, -TIME, or 0%% to 100%%", text),
        hints: [tr("segue help seek   shows examples")])
    }
    switch adjustment.direction {
    case .to: return SeekRequest(.position(time))
    case .up: return SeekRequest(.offset(time))
    case .down: return SeekRequest(.offset(.zero - time))
    }
  }
}

extension VerbContext {
  /// Calls a method that returns a `Status` and prints it in one line. Errors of the kinds in `hints` get these hints.
  func callTransport(
    _ request: some ProtocolRequest<Status>, hints: [Failure.Kind: [String]] = [:]
  ) throws(ClientError) {
    print(try call(request, hints: hints)) { StatusLine.of($0, style) }
  }
}
