public import SegueSystem

/// What the scan is held to.
public struct ScanLimits: Sendable {
  /// How long a worker may take for one file.
  public var patience = MediaTime.seconds(5)
  /// How long it has to be quiet after a change before the change is looked at, and how long that is put off at most.
  public var quiet = MediaTime.milliseconds(500)
  public var longestDelay = MediaTime.seconds(5)
  /// How often all is walked where not every folder can be watched.
  public var interval = MediaTime.seconds(900)
  /// Folders that are watched at most, below what the kernel allows.
  public var mostWatches = Int.max
  /// Workers at a time; as many as there are processors unless it says otherwise.
  public var workers: Int?

  public init() {}
}
