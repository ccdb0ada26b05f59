/// How far the measuring of loudness is.
public struct LoudnessStatus: Equatable, Sendable {
  public var isMeasuring = false
  /// Of the measuring that runs or the last one: tracks that were measured, of so many, and in vain.
  public var done = 0
  public var total = 0
  public var failed = 0

  public init() {}
}
