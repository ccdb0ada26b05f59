// Thread: the pulse thread.
internal import SegueSystem

/// A controller of the sound of the stream: it starts and stops the sound, lets the server play it to its end, and
/// discards it.
final class SoundController {
  let drain: DrainController
  private let connection: ServerConnection
  private let output: StreamController
  private let clock: PlaybackClock

  init(_ connection: ServerConnection, output: StreamController, clock: PlaybackClock) {
    self.connection = connection
    self.output = output
    self.clock = clock
    drain = DrainController(connection)
  }

  /// Starts the sound. Returns false if it was not stopped, or cannot be started.
  func start() -> Bool {
    guard let stream = output.readyStream, stream.isCorked else { return false }
    stream.cork(false)
    output.volume.handleUncork()
    drain.renew(on: stream)
    stream.requestTiming()
    connection.updateWatchdog()
    return true
  }

  /// Waits until the server has played everything that is written.
  func awaitEnd() {
    guard let stream = output.stream else { return }
    drain.start(on: stream, at: clock.written, latency: clock.latency)
  }

  /// Stops the sound.
  func cork() {
    if let stream = output.readyStream, !stream.isCorked { stream.cork(true) }
    connection.updateWatchdog()
  }

  /// Stops the sound, and asks the server at which frame it has stopped.
  func corkAndRequestTiming() {
    cork()
    output.stream?.requestTiming()
  }

  /// Stops the sound at once: the server discards what it has.
  func flush() {
    guard let stream = output.readyStream else { return }
    cork()
    if stream.writer.written > 0 { stream.flush() }
    drain.handleDiscard(after: nil)
  }

  func close() {
    drain.reset()
    output.close()
  }

  /// Drops the stream without an event of its own.
  func drop() {
    drain.reset()
    output.drop()
  }
}
