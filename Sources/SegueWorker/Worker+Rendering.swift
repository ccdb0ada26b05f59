// Decoding thread only; see Worker.swift.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// What is not played as it is: brought to the rate that is wanted, mixed with what comes before, and put on the line.
extension Worker {
  /// How long after a track was opened it is known at last what follows it.
  private static let patience = MediaTime.milliseconds(250)
  /// The most that is kept back, in bytes.
  private static let mostKept = 32 << 20

  /// `deck` is open: `info` was found in it.
  func prepareRendering(_ deck: DecodeJob, _ info: MediaInfo) {
    guard deck.isRendered else { return dropRendered() }
    // Nothing is held up before it must be. What is not counted may end much earlier than it says.
    guard let duration = info.duration else { return }
    let half = duration / 2
    deck.keptFrom = info.durationKind == .exact ? max(.zero, duration - deck.source.fadeOut) : half
  }

  func render(
    _ deck: DecodeJob, _ format: AudioFormat, at frame: Frames, _ sound: UnsafeRawBufferPointer
  ) throws(MediaError) -> Progress {
    let target = deck.target(of: format)
    if format != deck.rendered {
      begin(deck, target, at: target.rate.frames(in: format.rate.time(of: frame)))
      if resampler?.source != format || resampler?.target != target {
        // The last third of a millisecond of what came before: its end was marked when the resampler still held that.
        if let resampler, resampler.target == target { put(resampler.convert(nil), of: deck) }
        resampler = Resampler(from: format, to: target)
      }
      deck.rendered = format
    }
    guard let resampler else {
      throw .unplayable("\(format.channels.count) channels at \(format.rate) cannot be brought to \(target.rate)")
    }
    put(resampler.convert(sound), of: deck)
    let end = format.rate.time(of: frame + Frames(sound.count / format.bytesPerFrame))
    if deck.fade == nil, deck.source.fadeOut > .zero, end >= deck.keptFrom { keepBack(of: deck, target) }
    return .busy
  }

  /// Mixes `sound` with what is kept of the track before, and puts what goes beyond that behind it.
  private func put(_ sound: UnsafeRawBufferPointer, of deck: DecodeJob) {
    var sound = sound
    if var fade = deck.fade, let format = deck.format {
      let count = min(sound.count, fade.left * format.bytesPerFrame)
      let old = line.end(fade.left * format.bytesPerFrame)
      fade.mix(
        UnsafeRawBufferPointer(rebasing: sound[..<count]), into: UnsafeMutableRawBufferPointer(rebasing: old[..<count]),
        channels: Int(format.channels.count))
      line.kept = fade.left * format.bytesPerFrame
      deck.fade = fade.left > 0 ? fade : nil
      sound = UnsafeRawBufferPointer(rebasing: sound[count...])
    }
    line.append(sound)
  }

  /// Of a track that ends before all of the one before it was mixed with it: the rest dies away alone.
  func finishFade(of deck: DecodeJob) {
    guard var fade = deck.fade, let format = deck.before?.target else { return }
    // It may have given nothing: what dies away is heard as its beginning then.
    begin(deck, format, at: .zero)
    fade.mix(nil, into: line.end(fade.left * format.bytesPerFrame), channels: Int(format.channels.count))
    deck.fade = nil
    line.kept = 0
  }

  /// Keeps back as much of what there is as may be mixed with what follows, and `most` at most.
  private func keepBack(of deck: DecodeJob, _ target: AudioFormat, most: MediaTime = .maximum) {
    let wanted = Int(target.rate.frames(in: min(deck.source.fadeOut, most)).count)
    line.kept =
      min(wanted, Self.mostKept / target.bytesPerFrame, line.countBehindMarks / target.bytesPerFrame)
      * target.bytesPerFrame
  }

  /// Goes on without a break where something follows, or fades into it. What follows is waited for if the track was
  /// opened only just now.
  func renderEnd(
    of deck: DecodeJob, _ format: AudioFormat, _ duration: MediaTime, openSince: MonotonicTime
  ) -> Progress {
    if following == nil, MonotonicTime.now < openSince + Self.patience { return .awaiting(openSince + Self.patience) }
    let target = deck.target(of: format)
    let wish = following?.fadeIn(of: deck, lasting: duration) ?? .zero
    if wish > .zero || following?.isRendered != true, let resampler {
      put(resampler.convert(nil), of: deck)
      self.resampler = nil
    }
    begin(deck, target, at: .zero)
    finishFade(of: deck)
    keepBack(of: deck, target, most: wish)
    line.mark(.end(deck.generation, target, at: target.rate.frames(in: duration)), back: line.kept)
    if line.kept > 0, let following {
      let rest = target.rate.time(of: Frames(line.kept / target.bytesPerFrame))
      deck.state = .rendered(duration, fade: (max(.zero, duration - rest), following.generation))
    } else {
      deck.state = .rendered(duration, fade: nil)
    }
    return .busy
  }

  /// Marks that `deck` goes on in `target` from here on, unless it does already.
  private func begin(_ deck: DecodeJob, _ target: AudioFormat, at frame: Frames) {
    guard target != deck.format else { return }
    // The end of what came before belongs to this one, if it is mixed with it.
    line.mark(.begin(deck.generation, target, at: frame), back: deck.fade == nil ? 0 : line.count)
    deck.format = target
  }

  /// `deck` is done, and all of it in the ring that is not kept for `into`.
  func handOver(_ deck: DecodeJob, to next: DecodeJob?, fadesInto into: Generation?) {
    if let source = deck.rendered, let target = deck.format { renderedLast = (deck.generation, source, target) }
    next?.before = renderedLast
    if let next, let target = deck.format, next.generation == into {
      next.fade = Crossfade(length: line.count / target.bytesPerFrame)
    } else {
      line.clear()
    }
  }

  func dropRendered() {
    line.clear()
    resampler = nil
  }
}

extension DecodeJob {
  /// What `format` becomes. One that is mixed with what came before becomes what that is, and so does one that is of its
  /// kind: else there would be a break.
  fileprivate func target(of format: AudioFormat) -> AudioFormat {
    if source.fadeOut > .zero, let before, fade != nil || self.format == before.target || before.source == format {
      return before.target
    }
    var target = format
    target.sample = .float32
    target.rate = source.rate ?? format.rate
    guard source.fadeOut > .zero else { return target }
    // What follows may have more of either, and be kept to what this one has.
    if target.channels.count == 1 { target.channels = .stereo }
    if source.rate == nil, target.rate < .cd {
      target.rate = format.rate.hertz % 11_025 == 0 ? .cd : SampleRate(48_000)
    }
    return target
  }

  /// How much of the end of `deck`, which lasts so long, may be mixed with its beginning.
  fileprivate func fadeIn(of deck: DecodeJob, lasting duration: MediaTime) -> MediaTime {
    guard isRendered, deck.source.fadeOut > .zero, source.fadeOut > .zero else { return .zero }
    return min(source.fadeIn, deck.source.fadeOut, duration / 2)
  }
}
