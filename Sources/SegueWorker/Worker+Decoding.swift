// Decoding thread only; see Worker.swift.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueRing
internal import SegueSystem

extension Worker {
  enum Progress {
    /// There is more to do at once.
    case busy
    /// There is nothing to do until an order comes.
    case idle
    /// There is nothing to do until the ring has room.
    case filled
    /// There is nothing to do until an order comes, or this moment.
    case awaiting(MonotonicTime)
  }

  /// Decodes for a moment: short enough that an order is seen a few milliseconds after it came.
  func work() -> Progress {
    guard let output else { return .idle }
    let until = MonotonicTime.now + MediaTime.milliseconds(2)
    repeat {
      guard let deck = current else { return .idle }
      do throws(MediaError) {
        let progress = try advance(deck, output)
        guard case .busy = progress else { return progress }
      } catch {
        if case .decoding = deck.state, deck.isRendered {
          // What was kept back, and what it was being mixed with, is heard.
          finishFade(of: deck)
          line.kept = 0
          deck.state = .broken(error)
          continue
        }
        goOn()
        if case .failed(let failure) = error { report(.failed(deck.generation, failure)) }
      }
    } while MonotonicTime.now < until
    return .busy
  }

  /// One step of `deck`.
  private func advance(_ deck: DecodeJob, _ output: RingOutput) throws(MediaError) -> Progress {
    guard line.pour(into: output) else { return .filled }
    switch deck.state {
    case .waiting:
      let track = try MediaTrack.open(deck.source, file: deck.file, start: deck.start, inbox: inbox)
      var info = track.info
      info.gain = deck.source.gain.decibels(track.gain)
      deck.amplifier = info.gain.map(Amplifier.init(decibels:))
      report(.opened(deck.generation, info))
      prepareRendering(deck, info)
      deck.state = .decoding(track, since: .now)
      return .busy
    case .decoding(let track, let since):
      if deck.unwritten.count > 0 {
        deck.unwritten = rest(of: deck.unwritten, after: output.write(deck.unwritten))
        return deck.unwritten.count == 0 ? .busy : .filled
      }
      guard output.canMark, !output.isFilled else { return .filled }
      switch try track.next() {
      case .pcm(let format, let frame, let bytes):
        let sound = deck.amplifier?.apply(format.sample, bytes) ?? bytes
        if deck.isRendered { return try render(deck, format, at: frame, sound) }
        if format != deck.format {
          output.begin(deck.generation, format, at: frame)
          deck.format = format
        }
        deck.unwritten = rest(of: sound, after: output.write(sound))
      case .title(let title, let time):
        report(.title(deck.generation, title, at: time))
      case .end(let format, let frame, let duration, let stop):
        if deck.isRendered {
          let progress = renderEnd(of: deck, format, duration, openSince: since)
          if case .busy = progress, let stop { report(.incomplete(deck.generation, stop)) }
          return progress
        }
        if let stop { report(.incomplete(deck.generation, stop)) }
        output.end(deck.generation, format, at: frame)
        report(.ended(deck.generation, duration: duration))
        goOn()
      }
      return .busy
    case .rendered(let duration, let fade):
      if let fade { report(.faded(deck.generation, from: fade.from, into: fade.into)) }
      report(.ended(deck.generation, duration: duration))
      handOver(deck, to: following, fadesInto: fade?.into)
      goOn()
      return .busy
    case .broken(let error):
      throw error
    }
  }

  /// The current track has no more to give.
  private func goOn() {
    current = following
    following = nil
  }

  private func rest(of bytes: UnsafeRawBufferPointer, after taken: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[taken...])
  }
}
