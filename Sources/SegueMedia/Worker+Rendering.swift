// Decoding thread only; see Worker.swift.
internal import SegueLink
internal import SegueRing
internal import SegueSystem

/// What is not played as it is: brought to the rate that is wanted, and put on the line.
extension Worker {
  /// How long after a track was opened it is known at last what follows it.
  private static let patience = MediaTime(nanoseconds: 250_000_000)

  func render(
    _ deck: Deck, _ format: AudioFormat, at frame: Frames, _ sound: UnsafeRawBufferPointer
  ) throws(MediaError) -> Progress {
    let target = deck.target(of: format)
    if format != deck.rendered {
      if target != deck.format {
        line.mark(.begin(deck.generation, target, at: target.rate.frames(in: format.rate.time(of: frame))))
        deck.format = target
      }
      if resampler?.source != format || resampler?.target != target {
        // The last third of a millisecond of what came before: its end was marked when the resampler still held that.
        if let resampler, resampler.target == target { line.append(resampler.convert(nil)) }
        resampler = Resampler(from: format, to: target)
      }
      deck.rendered = format
    }
    guard let resampler else {
      throw .unplayable("\(format.channels.count) channels at \(format.rate) cannot be brought to \(target.rate)")
    }
    line.append(resampler.convert(sound))
    return .busy
  }

  /// Goes on without a break where something follows, which is waited for if the track was opened only just now.
  func renderEnd(
    of deck: Deck, _ format: AudioFormat, _ duration: MediaTime, openSince: MonotonicTime
  ) -> Progress {
    if following == nil, MonotonicTime.now < openSince + Self.patience { return .awaiting(openSince + Self.patience) }
    if following?.isRendered != true, let resampler {
      line.append(resampler.convert(nil))
      self.resampler = nil
    }
    let target = deck.target(of: format)
    line.mark(.end(deck.generation, target, at: target.rate.frames(in: duration)))
    deck.state = .rendered(duration)
    return .busy
  }

  func dropRendered() {
    line.clear()
    resampler = nil
  }
}

extension Deck {
  /// What `format` becomes.
  fileprivate func target(of format: AudioFormat) -> AudioFormat {
    guard let rate = source.rate else { return format }
    return AudioFormat(sample: .float32, rate: rate, channels: format.channels)
  }
}
