// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWorkerProtocol

/// A change of the file that is being decoded by another program, such as an editor of tags or a recorder. Decoding
/// continues from the same position once the file is complete. The descriptor is that of the old file if another one
/// replaces it, which is no change.
struct FileChange {
  let file: FileInput
  /// The position in the track from which on it is decoded again.
  let position: MediaTime
  /// The time at which the file is opened even if it is still being written.
  private let deadline: MonotonicTime
  private let isGrowing: Bool

  /// The time without a change after which a file is complete. Editors of tags write a file in several steps, between
  /// which the file is inconsistent.
  private static let quietTime = MediaTime.milliseconds(300)
  /// The time after which waiting could be heard: the ring has audio for a little longer when more is decoded.
  private static let maximumWait = MediaTime.milliseconds(4_500)
  /// The time between two attempts to open the file.
  private static let retryDelay = MediaTime.milliseconds(250)

  /// - Parameter isGrowing: Whether audio was appended to the file, and it can be opened at once.
  init(of file: FileInput, at position: MediaTime, isGrowing: Bool = false) {
    self.file = file
    self.position = position
    self.isGrowing = isGrowing
    deadline = .now + Self.maximumWait
  }

  /// Returns the time until which to wait before the file is opened; nil if it can be opened now.
  var wait: MonotonicTime? {
    let now = MonotonicTime.now
    guard !isGrowing, now < deadline, let age = file.age, age < Self.quietTime else { return nil }
    return min(deadline, now + (Self.quietTime - age))
  }

  /// Returns the time until which to wait before another attempt to open the file; nil after the last attempt.
  var retry: MonotonicTime? {
    let next = MonotonicTime.now + Self.retryDelay
    return next < deadline ? next : nil
  }
}

/// The growth of a file that was decoded to its end while it is being written. The end of the track is held back until
/// there is little left to play, because there may be more by then.
struct FileGrowth {
  enum Decision {
    /// The file has grown, and is to be opened again.
    case proceed
    /// Waits until at most this length of audio is left.
    case drain(to: MediaTime)
    case wait(until: MonotonicTime)
    /// The file does not grow any more, or not as fast as it is played.
    case end
  }

  /// Whether the file has grown since it was opened for the first time.
  private var hasGrown = false
  /// The time before which the file is not opened again.
  private var next = MonotonicTime.now

  /// The time without a change after which nobody writes to the file any more.
  private static let quietTime = MediaTime.seconds(3)
  /// The audio that is left when the file is opened again. It is more than opening takes, and little enough that this
  /// happens every few seconds only.
  private static let early = MediaTime.seconds(3)
  /// The audio that is left when the following track must be opened.
  private static let late = MediaTime.milliseconds(500)
  private static let interval = MediaTime.milliseconds(250)

  /// Returns what to do at the end of `file` if audio of the length `left` is still to be played.
  mutating func decide(_ file: FileInput, left: MediaTime) -> Decision {
    guard let age = file.age, file.hasAnotherSize || age < Self.quietTime else { return .end }
    if age < Self.quietTime, left > Self.early { return .drain(to: Self.early) }
    let now = MonotonicTime.now
    if file.hasAnotherSize, now >= next {
      (hasGrown, next) = (true, now + Self.interval)
      return .proceed
    }
    return hasGrown && left > Self.late ? .wait(until: now + Self.interval) : .end
  }
}
