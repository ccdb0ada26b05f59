internal import SegueSystem

/// How much a worker may say: a few reports for every order, and a live title now and then. One that says more has been
/// taken over by a file, and would keep the loop from everybody else.
struct ReportAllowance {
  private var left = ReportAllowance.most
  private var refilled = MonotonicTime.now

  private static let most = 256.0
  private static let perOrder = 4.0
  private static let perSecond = 16.0

  mutating func noteOrder() { left = min(left + Self.perOrder, Self.most) }

  /// False when it has said too much.
  mutating func take() -> Bool {
    let now = MonotonicTime.now
    left = min(left + (now - refilled).seconds * Self.perSecond, Self.most) - 1
    refilled = now
    return left >= 0
  }
}
