internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The verb `gain`.
enum GainVerb {
  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var mode: String?
    var preamp: Double?
    for text in arguments.map(\.text) {
      if mode == nil, GainMode(rawValue: text) != nil {
        mode = text
      } else if preamp == nil, let value = decibels(text) {
        preamp = value
      } else {
        throw .usage(
          tr("invalid gain “%1$s”: use off, track, album, auto, or a number of dB from -30 to 30", text),
          hints: ["segue help gain"])
      }
    }
    let request = ClientRequest("gain") {
      if let mode { $0.member("mode", mode) }
      if let preamp {
        $0.member("preamp", preamp)
      }
    }
    context.print(try context.call(mode == nil && preamp == nil ? ClientRequest("gain") : request)) {
      description(of: Gain($0))
    }
  }

  /// Parses a gain such as `-3` or `1.5dB`. Returns nil if it is out of range.
  private static func decibels(_ text: String) -> Double? {
    let digits = text.hasSuffix("dB") ? String(text.dropLast(2)) : text
    return Double(digits).flatMap { Gain.range.contains($0) ? $0 : nil }
  }

  private static func description(of gain: Gain) -> String {
    guard gain.mode != .off else { return tr("gain off") }
    return gain.applied.map {
      tr("gain %1$s, preamp %2$s, now %3$s", gain.mode.rawValue, text(gain.preamp), text($0))
    } ?? tr("gain %1$s, preamp %2$s", gain.mode.rawValue, text(gain.preamp))
  }

  /// Returns a gain rounded to a tenth, such as `+1.5 dB`.
  private static func text(_ decibels: Double) -> String {
    let tenths = Int((decibels * 10).rounded().clamped(to: -10_000...10_000))
    return tr("%1$s dB", (tenths > 0 ? "+" : "") + decimalText(tenths: tenths))
  }
}
