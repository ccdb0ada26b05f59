public import SegueSystem
public import SegueWire

/// What is known of an entry beside its place: provisional from a playlist, then what the worker found.
public struct EntryInfo: Equatable, Sendable {
  public var metadata: Metadata
  /// Of the track or range; nil while unknown.
  public var duration: MediaTime?
  public var durationKind: DurationKind?
  /// Why it cannot be played, or was not played to its end.
  public var failure: Failure?
  /// True once a worker has looked into it, whatever it found.
  public var probed: Bool

  public init(
    metadata: Metadata = Metadata(), duration: MediaTime? = nil, durationKind: DurationKind? = nil,
    failure: Failure? = nil, probed: Bool = false
  ) {
    self.metadata = metadata
    self.duration = duration
    self.durationKind = durationKind
    self.failure = failure
    self.probed = probed
  }

  static let unknown = EntryInfo()

  /// An `EntryInfo` on the heap, so that an entry is small to move; shared, never changed.
  final class Box: Sendable {
    let info: EntryInfo

    init(_ info: EntryInfo) { self.info = info }

    /// nil for what says nothing: a hundred thousand unprobed entries need no box.
    static func holding(_ info: EntryInfo) -> Box? { info == .unknown ? nil : Box(info) }
  }
}
