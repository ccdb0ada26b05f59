internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The verb `gain`.
enum GainVerb {
  static let verb = Verb(
    "gain", .modes, "[off|track|album|auto] [DB]", 0...2, values: .first(.words(GainMode.words)),
    tr("show or set loudness normalization"),
    details: tr(
      """
      Uses the ReplayGain or R128 tags of the files, or measured values for files
      without tags (segue scan --loudness). auto: album gain while an album plays in
      order, else track gain. DB is the preamp, which is added to every gain, from
      -30 to 30.

        segue gain                     show mode and preamp
        segue gain auto
        segue gain album -3
        segue gain +1.5                set only the preamp
      """), run: run)

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var mode: GainMode?
    var preamp: Double?
    for text in arguments.map(\.text) {
      if mode == nil, let named = GainMode(rawValue: text) {
        mode = named
      } else if preamp == nil, let value = decibels(text) {
        preamp = value
      } else {
        throw .usage(
          tr("invalid gain “%1$s”: use off, track, album, auto, or a number of dB from -30 to 30", text),
          hints: EditDistance.nearest(to: text, in: GainMode.words).map {
            [tr("did you mean   segue %1$s   ?", "gain \($0)")]
          } ?? ["segue help gain"])
      }
    }
    context.print(try context.call(GainRequest(mode: mode, preamp: preamp))) { description(of: $0) }
  }

  /// Parses a gain such as `-3`, `1.5dB` or `1,5`. Returns nil if it is out of range.
  private static func decibels(_ text: String) -> Double? {
    let digits = text.hasSuffix("dB") ? String(text.dropLast(2)) : text
    return Double(digits.withDecimalPoint).flatMap { Gain.range.contains($0) ? $0 : nil }
  }

  private static func description(of gain: Gain) -> String {
    let mode = ModeLabels.gain(gain.mode)
    guard gain.mode != .off else { return mode }
    guard let applied = gain.applied else { return tr("%1$s, preamp %2$s", mode, text(gain.preamp)) }
    switch gain.limit {
    case nil:
      return tr("%1$s, preamp %2$s, now %3$s", mode, text(gain.preamp), text(applied))
    case .peak:
      return tr(
        "%1$s, preamp %2$s, now %3$s instead of %4$s, or the track would clip", mode, text(gain.preamp), text(applied),
        text(gain.requested ?? applied))
    case .limiter:
      return tr(
        "%1$s, preamp %2$s, now %3$s with a limiter, because the peak of the track is unknown", mode, text(gain.preamp),
        text(applied))
    }
  }

  /// Returns a gain rounded to a tenth, such as `+1.5 dB`.
  private static func text(_ decibels: Double) -> String {
    let tenths = Int((decibels * 10).rounded().clamped(to: -10_000...10_000))
    return tr("%1$s dB", (tenths > 0 ? "+" : "") + decimalText(tenths: tenths))
  }
}
