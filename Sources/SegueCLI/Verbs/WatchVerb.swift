internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The verb `watch`, which prints the state and every event, or every track, until the daemon ends the connection or
/// the reader closes standard output.
enum WatchVerb {
  static let verb = Verb(
    "watch", .other, "[TOPIC…] [--track]", 0...Verb.unlimited, options: [.track], values: .all(.words(Topic.words)),
    tr("print events as lines of JSON"),
    details: tr(
      """
      The topics are player, queue, library, output, settings, favorites, playlists,
      ratings and history (default: all), and sound. The first line is the complete
      state; each following line is an event with the new state of its topic. That
      of favorites, playlists, ratings and history is a version: the list is to be
      read again. Only sound, the samples of what is audible, has periodic events:
      compute the position from "monotonic" and "rate". Exits with status 3 when the
      daemon stops.

      With --track, prints only the tracks, each when its playback starts; the
      current one at once if it plays, or when it is resumed. Without a script,
        segue settings set notifications yes   shows every track on the desktop;
      see also segue-recipes(7).

        segue watch player output
        segue watch --track | jq --unbuffered -r .metadata.title
      """), run: run)

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let topics = try topics(arguments)
    guard !context.options.isGiven(.track) else {
      guard topics.isEmpty else { throw .usage(tr("%1$s cannot be combined with %2$s", "--track", "TOPIC")) }
      return try watchTracks(context)
    }
    var message = try context.call(SubscribeRequest(topics: topics.isEmpty ? nil : topics)).json
    let connection = try context.connection()
    while true {
      context.print(json: message)
      guard try context.flush(), connection.waitForMessage() else { return }
      message = try context.nextEvent()
    }
  }

  private static func topics(_ arguments: [Argument]) throws(ClientError) -> [Topic] {
    var topics: [Topic] = []
    for word in arguments.map(\.text) {
      guard let topic = Topic(rawValue: word) else {
        throw .usage(
          tr("unknown topic “%1$s”: use one of %2$s", word, Topic.words.joined(separator: ", ")),
          hints: EditDistance.nearest(to: word, in: Topic.words).map {
            [tr("did you mean   segue %1$s   ?", "watch \($0)")]
          }
            ?? [])
      }
      topics.append(topic)
    }
    return topics
  }

  /// Prints each track once when its playback starts, and again if playback was stopped in between.
  private static func watchTracks(_ context: VerbContext) throws(ClientError) {
    var state = try context.subscribeToPlayer()
    let connection = try context.connection()
    var printed: UInt64?
    while true {
      let status = state?.value
      if status?.state == .stopped { printed = nil }
      if let status, status.rate > 0, let track = status.track, track.id != printed {
        state?.json["track"].map(context.print(json:))
        printed = track.id
      }
      guard try context.flush(), connection.waitForMessage() else { return }
      state = try context.nextState(of: .player) ?? state
    }
  }
}
