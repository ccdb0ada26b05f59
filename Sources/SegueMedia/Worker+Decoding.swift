// Decoding thread only; see Worker.swift.
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
  }

  /// Decodes for a moment: short enough that an order is seen a few milliseconds after it came.
  func work() -> Progress {
    guard let output else { return .idle }
    let until = MonotonicTime.now + MediaTime(nanoseconds: 2_000_000)
    repeat {
      guard let deck = current else { return .idle }
      do throws(MediaError) {
        guard try advance(deck, output) else { return .filled }
      } catch {
        goOn()
        if case .failed(let failure) = error { report(.failed(deck.generation, failure)) }
      }
    } while MonotonicTime.now < until
    return .busy
  }

  /// One step of `deck`. False if the ring has no room for it.
  private func advance(_ deck: Deck, _ output: RingOutput) throws(MediaError) -> Bool {
    switch deck.state {
    case .waiting:
      let track = try MediaTrack.open(deck.source, file: deck.file, start: deck.start, inbox: inbox)
      var info = track.info
      info.gain = deck.source.level.decibels(track.gain)
      deck.amplifier = info.gain.map(Amplifier.init(decibels:))
      report(.opened(deck.generation, info))
      deck.state = .decoding(track)
      return true
    case .decoding(let track):
      if deck.unwritten.count > 0 {
        deck.unwritten = rest(of: deck.unwritten, after: output.write(deck.unwritten))
        return deck.unwritten.count == 0
      }
      guard output.canMark, !output.isFilled else { return false }
      switch try track.next() {
      case .pcm(let format, let frame, let bytes):
        if format != deck.format {
          output.begin(deck.generation, format, at: frame)
          deck.format = format
        }
        let sound = deck.amplifier?.apply(format.sample, bytes) ?? bytes
        deck.unwritten = rest(of: sound, after: output.write(sound))
      case .title(let title, let time):
        report(.title(deck.generation, title, at: time))
      case .end(let format, let frame, let duration):
        output.end(deck.generation, format, at: frame)
        report(.ended(deck.generation, duration: duration))
        goOn()
      }
      return true
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
