/// An output for sound: it plays the PCM of rings in the order of generations, and reports when each of them is
/// audible.
///
/// Any thread may call an output, and no call except `shutdown` blocks.
public protocol AudioOutput: AnyObject, Sendable {
  /// Sends a command.
  func send(_ command: SinkCommand)

  /// The clock as the output published it last.
  var clock: SinkClock { get }

  /// Ends the output, and waits for its threads. Later commands to play are answered with `streamRefused`, and those to
  /// list sinks with `sinksUnavailable`; others are ignored. Must not be called by the function that takes its events.
  func shutdown()
}

/// A function that creates an output. The output calls `deliver` with its events on a thread of its own; `deliver` does
/// not block.
public typealias AudioOutputMaker = (_ deliver: @escaping @Sendable (SinkEvent) -> Void) -> any AudioOutput
