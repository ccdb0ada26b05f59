internal import SegueSystem
internal import SegueWire

extension OpenRPCDocument {
  /// The objects of the protocol, in the order PROTOCOL.md names them.
  static let schemas: [(name: String, schema: Schema)] =
    [
      ("Track", track), ("Metadata", metadata), ("Status", status), ("Output", output), ("Audio", audio),
      ("Sleep", sleep), ("Volume", volume), ("Gain", gain), ("SettingList", settingList),
      ("Setting", setting), ("ChapterList", chapterList), ("Queue", queue),
      ("QueuePage", queuePage), ("AddResult", addResult),
      ("OutputList", outputList), ("Snapshot", snapshot), ("Subscription", subscription), ("Counters", counters),
    ] + librarySchemas

  static let text = Schema.nullable(.string)
  static let number = Schema.nullable(.count)
  static let time = Schema.nullable(.seconds)
  static let durationKind = Schema.nullable(.choice(["exact", "estimated", "unbounded"]))
  private static let percent = Schema.integer(0...100)

  private static let track = Schema.object([
    .init("id", .count, "Stays with the entry for its life; never used twice."),
    .init("index", .count, "Its place in the queue, from 0."),
    .init("uri", .string, "Percent-encoded; a file's name survives byte for byte."),
    .init("duration", time, "Seconds."),
    .init("durationKind", durationKind),
    .init("metadata", .named("Metadata")),
    .init("favorite", .boolean),
    .init("error", text, "Why it was skipped, or was not played to its end."),
    .init("errorKind", text, "The kind of that error."),
  ])

  private static let metadata = Schema.object([
    .init("title", text, "The file's name where it has no title."),
    .init("artist", text),
    .init("artists", .array(of: .string)),
    .init("album", text),
    .init("albumArtist", text),
    .init("composer", text),
    .init("genre", .array(of: .string)),
    .init("date", text, "As the file writes it."),
    .init("year", .nullable(.integer())),
    .init("track", .nullable(.integer())),
    .init("trackTotal", .nullable(.integer())),
    .init("disc", .nullable(.integer())),
    .init("discTotal", .nullable(.integer())),
    .init("art", text, "A file:// URI of the cover."),
    .init("stream", text, "A live stream's current title."),
  ])

  private static let settingList = Schema.object([.init("settings", .array(of: .named("Setting")))])

  private static let setting = Schema.object([
    .init("name", .string, "player.replayGain"),
    .init("section", .string, "Of segue.conf."),
    .init("key", .string, "In that section."),
    .init("summary", .string, "For people."),
    .init("type", .choice(SettingType.words), "`paths`: an array of file:// URIs."),
    .init("value", settingValue, "What holds."),
    .init(
      "inUse", settingValue, "What holds; where `value` is empty, what that stands for: the desktop's music folder."),
    .init("default", settingValue, "What holds where nobody says anything."),
    .init("source", .choice(SettingSource.allCases.map(\.rawValue)), "Where the value comes from."),
    .init("changeable", .boolean, "Whether `settings.set` takes it."),
    .init("words", .array(of: .string), "Of a `choice`: what it may be."),
    .init("minimum", .nullable(.number())),
    .init("maximum", .nullable(.number())),
    .init("unit", text),
  ])

  private static let settingValue = Schema.nullable(
    .either(.either(.string, .boolean), .either(.number(), .array(of: .string))))

  private static let chapterList = Schema.object([
    .init("uri", .string),
    .init("chapters", .array(of: chapterMark), "In order of time; empty for a file that has none."),
    .init("current", number, "Which of them is heard, from 0."),
  ])

  static let chapterMark = Schema.object([.init("title", .string), .init("start", .seconds)])

  private static let gain = Schema.object([
    .init("mode", .choice(GainMode.allCases.map(\.rawValue))),
    .init("preamp", .number(Gain.range), "dB on top of the gain of every track that has one."),
    .init("fallback", .number(Gain.range), "dB for tracks without one: the setting `player.fallbackGain`."),
    .init("preventsClipping", .boolean, "No gain lifts a peak above full scale: `player.preventClipping`."),
    .init("applied", .nullable(.number()), "dB that the track is played with; null if it is played as it is."),
  ])

  private static let status = Schema.object([
    .init("state", .choice(["playing", "paused", "stopped"]), "What was asked for."),
    .init("position", time, "Seconds that were heard at `monotonic`."),
    .init("duration", time, "Seconds."),
    .init("durationKind", durationKind),
    .init("monotonic", .seconds, "CLOCK_MONOTONIC, in seconds."),
    .init("rate", .integer(0...1), "1 while the position advances."),
    .init("track", .nullable(.named("Track"))),
    .init("metadata", .nullable(.named("Metadata"))),
    .init("index", number),
    .init("length", .count, "Of the queue."),
    .init("version", .count, "Grows with every change of the queue."),
    .init("volume", percent),
    .init("muted", .boolean),
    .init("repeat", .choice(RepeatMode.allCases.map(\.rawValue))),
    .init("shuffle", .choice(ShuffleMode.allCases.map(\.rawValue))),
    .init("consume", .boolean),
    .init("sleep", .nullable(.named("Sleep"))),
    .init("output", .named("Output")),
    .init("audio", .nullable(.named("Audio"))),
  ])

  private static let output = Schema.object([
    .init("state", .choice(["idle", "open", "lost"]), "Whether sound comes out."),
    .init("device", text),
    .init("sampleRate", number),
    .init("channels", number),
    .init("format", text),
    .init("latency", time, "Seconds from write to loudspeaker."),
    .init("underruns", .count),
    .init("reconnects", .count),
    .init("error", text),
    .init(
      "errorKind", .nullable(.choice(Output.ErrorKind.allCases.map(\.rawValue))),
      "What is missing while the state is \"lost\"; else null."),
  ])

  private static let audio = Schema.object([
    .init("codec", .string),
    .init("container", .string),
    .init("sampleRate", .count),
    .init("channels", .count),
    .init("bitDepth", number),
    .init("bitRate", number, "Bits per second."),
    .init("lossless", .boolean),
    .init("gapless", .choice(["exact", "approximate"]), "How the track's ends are known."),
  ])

  private static let sleep = Schema.either(
    .object([.init("seconds", .seconds, "From `Status.monotonic` on.")]),
    .object([.init("after", .choice(SleepEnd.allCases.map(\.rawValue)))]))

  private static let volume = Schema.object([.init("volume", percent), .init("muted", .boolean)])

  private static let queue = Schema.object([.init("version", .count), .init("length", .count)])

  private static let queuePage = Schema.object([
    .init("tracks", .array(of: .named("Track"))),
    .init("total", .count),
    .init("offset", .count),
    .init("version", .count),
  ])

  private static let addResult = Schema.object(
    [
      .init(
        "added", .array(of: .count),
        "The ids of the new entries: of the first 1000. For music folders with which the daemon has filled its queue, "
          + "they include those of the entries that were there already."),
      .init("addedTotal", .count, "The number of all these entries."),
      .init("version", .count),
    ] + refusals)

  private static let outputList = Schema.object([
    .init(
      "outputs",
      .array(
        of: .object([
          .init("name", .string),
          .init("description", .string),
          .init("default", .boolean),
          .init("current", .boolean, "Whether the sound goes there, or would if anything played."),
          .init("sampleRate", .count),
          .init("channels", .count),
          .init("format", .string),
        ])), "At most 1000 of them."),
    .init("total", .count, "How many there are."),
  ])

  private static let snapshot = Schema.object([
    .init("seq", .count, "The number of the connection's last event."),
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
      "sandboxLacks", .nullable(.array(of: .choice(["no_new_privs", "landlock", "seccomp", "rlimits"]))),
      "What the kernel lacks to lock workers in with: best none. Null before the first worker has come up."),
    .init("wakeups", .count),
    .init("saveError", text, "Why queue, modes and position cannot be saved at present."),
  ])
}
