internal import SegueLink
internal import SegueSystem
internal import SegueWire

extension OpenRPCDocument {
  /// The schemas of the protocol's objects (segue-ipc(7), OBJECTS). Tests compare them with the encoders and decoders in
  /// SegueWire and with the manual page.
  static let schemas: [(name: String, schema: Schema)] =
    [
      ("Track", track), ("Metadata", metadata), ("Status", status), ("Output", output), ("Audio", audio),
      ("Stream", stream),
      ("Sleep", sleep), ("Volume", volume), ("Gain", gain), ("SettingList", settingList),
      ("Setting", setting), ("ChapterList", chapterList), ("Queue", queue),
      ("QueuePage", queuePage), ("QueueStep", queueStep), ("QueueStepResult", queueStepResult),
      ("AddResult", addResult),
      ("OutputList", outputList), ("Snapshot", snapshot), ("Subscription", subscription), ("Counters", counters),
    ] + librarySchemas + catalogSchemas

  // Values that may be null.
  static let text = Schema.nullable(.string)
  static let number = Schema.nullable(.count)
  static let time = Schema.nullable(.seconds)
  static let durationKind = Schema.nullable(.choice(of: DurationKind.self))
  private static let percent = Schema.integer(0...100)

  private static let track = Schema.object([
    .init("id", .count, "Identifies the entry for its whole life; never reused."),
    .init("index", .count, "The index in the queue, from 0."),
    .init("uri", .string, "Percent-encoded; preserves every byte of a file name."),
    .init("duration", time, "Seconds."),
    .init("durationKind", durationKind),
    .init("metadata", .named("Metadata")),
    .init("favorite", .boolean),
    .init("error", text, "The reason why the track was skipped or not played to its end."),
    .init("errorTemplate", errorTemplate),
    .init("errorKind", text, "The kind of that error."),
  ])

  private static let metadata = Schema.object([
    .init("title", text, "The file name if the track has no title."),
    .init("artist", text),
    .init("artists", .array(of: .string)),
    .init("album", text),
    .init("albumArtist", text),
    .init("composer", text),
    .init("genre", .array(of: .string)),
    .init("date", text, "As written in the tags."),
    .init("year", .nullable(.integer())),
    .init("track", .nullable(.integer())),
    .init("trackTotal", .nullable(.integer())),
    .init("disc", .nullable(.integer())),
    .init("discTotal", .nullable(.integer())),
    .init("art", text, "The file:// URI of the cover."),
    .init("stream", text, "The current title of a live stream."),
  ])

  private static let settingList = Schema.object([.init("settings", .array(of: .named("Setting")))])

  private static let setting = Schema.object([
    .init("name", .string, "For example `player.replayGain`."),
    .init("section", .string, "The section of segue.conf."),
    .init("key", .string, "The key in that section."),
    .init("summary", .string, "A description for users."),
    .init("type", .choice(of: SettingType.Kind.self), "`paths`: an array of file:// URIs."),
    .init("value", settingValue, "The configured value."),
    .init(
      "inUse", settingValue,
      "The effective value. If `value` is empty, the value that it stands for, such as the desktop's music folder."),
    .init("default", settingValue, "The default value."),
    .init("source", .choice(of: SettingSource.self), "The source of the value."),
    .init("changeable", .boolean, "Whether `settings.set` can change it."),
    .init("words", .array(of: .string), "The permitted words of a `choice`."),
    .init("minimum", .nullable(.number())),
    .init("maximum", .nullable(.number())),
    .init("unit", text),
  ])

  private static let settingValue = Schema.nullable(
    .either(.either(.string, .boolean), .either(.number(), .array(of: .string))))

  private static let chapterList = Schema.object([
    .init("uri", .string),
    .init("chapters", .array(of: chapterMark), "Ordered by time; empty for a file without chapters."),
    .init("current", number, "The index of the playing chapter, from 0."),
  ])

  static let chapterMark = Schema.object([.init("title", .string), .init("start", .seconds)])

  private static let gain = Schema.object([
    .init("mode", .choice(of: GainMode.self)),
    .init("preamp", .number(Gain.range), "dB added to the gain of every track that has one."),
    .init("fallback", .number(Gain.range), "dB for tracks without a gain: the setting `player.fallbackGain`."),
    .init(
      "preventsClipping", .boolean,
      "Whether gains are limited so that peaks stay below full scale: `player.preventClipping`."),
    .init("applied", .nullable(.number()), "dB applied to the current track; null if it plays without a gain."),
    .init(
      "requested", .nullable(.number()),
      "dB that tags, measurement and settings ask for; null if the track plays without a gain."),
    .init(
      "limit", .nullable(.choice(of: GainLimit.self)),
      "Why the track is less loud than that: `peak`: `applied` is less, or its peak would exceed full scale; `limiter`: its "
        + "peak is unknown, and a limiter reduces what would exceed full scale; null: it is not."),
  ])

  private static let status = Schema.object([
    .init("state", .choice(of: PlayState.self), "The requested state."),
    .init("position", time, "The playback position in seconds at the time `monotonic`."),
    .init("duration", time, "Seconds."),
    .init("durationKind", durationKind),
    .init("monotonic", .seconds, "CLOCK_MONOTONIC, in seconds."),
    .init(
      "rate", .number(0...PlaybackSpeed.fastest.factor),
      "The speed at which the position advances; 0 while it stands still, 1 in a live stream."),
    .init("track", .nullable(.named("Track"))),
    .init("metadata", .nullable(.named("Metadata"))),
    .init("index", number),
    .init("length", .count, "The length of the queue."),
    .init("version", .count, "Increases with every change of the queue."),
    .init("volume", percent),
    .init("muted", .boolean),
    .init("repeat", .choice(of: RepeatMode.self)),
    .init("shuffle", .choice(of: ShuffleMode.self)),
    .init("consume", .boolean),
    .init("speed", .number(PlaybackSpeed.factors), "The speed of the current track, or of the next one."),
    .init("sleep", .nullable(.named("Sleep"))),
    .init("output", .named("Output")),
    .init("audio", .nullable(.named("Audio"))),
    .init("stream", .nullable(.named("Stream")), "The state of the current track's stream; null for a file."),
    .init(
      "next", .nullable(.named("Track")),
      "The track that plays after the current one in the current modes; null if playback ends after it."),
  ])

  private static let stream = Schema.object([
    .init(
      "state", .nullable(.choice(of: StreamStatus.State.self)),
      "Null while a recording plays, and while nothing plays."),
    .init("buffered", .seconds, "Seconds of audio that are ready to be played."),
    .init("station", text, "The name of the station."),
  ])

  private static let output = Schema.object([
    .init("state", .choice(of: Output.State.self), "The state of the output."),
    .init("device", text),
    .init("sampleRate", number),
    .init("channels", number),
    .init("format", text),
    .init("latency", time, "Seconds from writing to the loudspeaker."),
    .init("underruns", .count),
    .init("reconnects", .count),
    .init("error", text),
    .init("errorTemplate", errorTemplate),
    .init(
      "errorKind", .nullable(.choice(of: Output.ErrorKind.self)),
      "The kind of the error while the state is \"lost\", otherwise null."),
  ])

  private static let audio = Schema.object([
    .init("codec", .string),
    .init("container", .string),
    .init("sampleRate", .count),
    .init("channels", .count),
    .init("bitDepth", number),
    .init("bitRate", number, "Bits per second."),
    .init("lossless", .boolean),
    .init(
      "gapless", .choice(of: Audio.Gapless.self),
      "How precisely the start and the end of the audio are known."),
  ])

  private static let sleep = Schema.either(
    .object([.init("seconds", .seconds, "Counted from `Status.monotonic`.")]),
    .object([.init("after", .choice(of: SleepEnd.self))]))

  private static let volume = Schema.object([.init("volume", percent), .init("muted", .boolean)])

  private static let queue = Schema.object([.init("version", .count), .init("length", .count)] + nextSteps)

  private static let queuePage = Schema.object(
    [
      .init("tracks", .array(of: .named("Track"))),
      .init("total", .count),
      .init("offset", .count),
      .init("version", .count),
    ] + nextSteps)

  private static let nextSteps: [Schema.Member] = [
    .init("undo", .nullable(.named("QueueStep")), "The change that `queue.undo` would undo."),
    .init("redo", .nullable(.named("QueueStep")), "The change that `queue.redo` would redo."),
  ]

  private static let queueStep = Schema.object([
    .init("action", .choice(of: QueueStep.Action.self)),
    .init("tracks", .count, "The number of tracks that were added, removed or moved, or that have replaced the queue."),
  ])

  private static let queueStepResult = Schema.object([
    .init("step", .named("QueueStep"), "The change that was undone or redone."),
    .init("queue", .named("Queue")),
  ])

  private static let addResult = Schema.object(
    [
      .init(
        "added", .array(of: .count),
        "The ids of the first 1000 new entries. For music folders from which the daemon has populated the queue "
          + "by itself, they include the entries that were already in the queue."),
      .init("addedTotal", .count, "The number of all these entries."),
      .init("alreadyQueued", .count, "The number of those among them that were already in the queue."),
      .init("version", .count),
    ] + failures)

  private static let outputList = Schema.object([
    .init(
      "outputs",
      .array(
        of: .object([
          .init("name", .string),
          .init("description", .string),
          .init("default", .boolean),
          .init("current", .boolean, "Whether the output uses this sink, or would use it."),
          .init("sampleRate", .count),
          .init("channels", .count),
          .init("format", .string),
        ])), "At most 1000 sinks."),
    .init("total", .count, "The number of all sinks."),
    .init(
      "chosen", text,
      "The name of the chosen sink, which may be missing; null if the output uses the default sink of the server."),
  ])

  private static let snapshot = Schema.object([
    .init("seq", .count, "The number of the last event of the connection."),
    .init("topics", .array(of: .string)),
    .init("status", .named("Status")),
    .init("queue", .named("Queue")),
    .init("output", .named("Output")),
    .init("library", .named("LibraryStatus")),
    .init("settings", .named("SettingList")),
  ])

  private static let subscription = Schema.object([.init("topics", .array(of: .string))])

  private static let counters = Schema.object([
    .init("clients", .count),
    .init("requests", .count),
    .init("underruns", .count),
    .init("reconnects", .count),
    .init("workersStarted", .count),
    .init("workersLost", .count),
    .init("bytesDecoded", .count),
    .init(
      "sandboxLacks", .nullable(.array(of: .choice(of: SandboxMechanism.self))),
      "The sandbox mechanisms that the kernel does not support; null before the first worker has started."),
    .init("wakeups", .count),
    .init("saveError", text, "The reason why the queue, the modes and the position cannot be saved at the moment."),
  ])
}
