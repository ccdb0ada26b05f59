// Pulse thread only: the audio path. Steady, it copies from the ring into libpulse's memory and nothing else.
internal import SegueRing
internal import SegueSystem

extension Sink {
  /// Hands over what there is and what the server takes; starts the sound when there is enough.
  func pour() {
    guard phase == .starting || phase == .playing, !feeds.isEmpty, fade == nil else { return }
    let before = (phase, timeline.clock.segments.count)
    do throws(RingCorruption) {
      try pourAll()
    } catch {
      abandon(error)
    }
    startIfReady()
    if before == (.playing, timeline.clock.segments.count), phase == .playing { offer() } else { publish() }
    announce()
  }

  private func pourAll() throws(RingCorruption) {
    timeline.awaitPCM(false)
    // By index: an iterator, or `first` of a slice, allocates where it is not specialised.
    // Bounded, for a hostile worker could feed marks or crumbs as fast as they are taken, and never let us go.
    for _ in 0..<10_000 {
      guard !feeds.isEmpty else { return }
      let feed = feeds[0]
      switch try feed.head(follower: feeds.count > 1 ? feeds[1].generation : nil) {
      case .begins(let format, let media):
        guard hasStream(for: format) else { return }
        if timeline.written == .zero { noteOpening(of: feed) }
        feed.enter(format)
        timeline.begin(feed.generation, at: media)
      case .pcm(let count):
        guard let stream, case let room = stream.room, room > 0,
          hand(min(count, room), of: feed, to: stream)
        else { return }
      case .end:
        joints.append(TrackBoundary(generation: feed.generation, at: timeline.written, tail: lastFrame))
        feeds.removeFirst()
        if feeds.isEmpty { return end() }
      case .dry:
        if try feed.source.wait(frameSize: feed.format?.bytesPerFrame ?? 1) { return timeline.awaitPCM(true) }
      case .elsewhere:
        return timeline.awaitPCM(true)
      }
    }
    throw RingCorruption("crumbs without end")
  }

  /// False if the stream took nothing: its connection broke, and that is on its way to us.
  private func hand(_ count: Int, of feed: GenerationReader, to stream: PlaybackStream) -> Bool {
    let before = stream.written
    let frameSize = stream.format.bytesPerFrame
    stream.write(
      count,
      fill: { memory in
        feed.source.consumer.read(into: memory)
        lastFrame.take(lastOf: memory, frameSize: frameSize)
      },
      shape: { memory in
        let first = timeline.written + Frames((stream.written - before) / frameSize)
        if let rise = timeline.rise, first < rise.end { rise.shape(memory, first: first, of: stream.format) }
      })
    timeline.wrote(Frames((stream.written - before) / frameSize))
    return stream.written > before
  }

  /// Whether PCM of this format can be handed over, now or when the stream is ready. If not, what it takes is under way.
  private func hasStream(for format: AudioFormat) -> Bool {
    if let stream {
      if stream.format == format {
        timeline.rate = format.rate
        return true
      }
      if stream.written > 0 {
        phase = .changing
        if !isPaused {
          uncork()
          awaitEnd()
        }
        return false
      }
      closeStream()
    }
    guard let connection, connection.isReady else { return false }
    timeline.rate = format.rate
    return openStream(format, on: connection)
  }

  /// Everything is handed over, and nothing follows.
  func end() {
    phase = .ending
    guard stream != nil, timeline.written > .zero else { return finish() }
    if !isPaused {
      uncork()
      awaitEnd()
    }
  }

  /// The ring of the generation being handed over is broken: it ends here, or, if another is still heard, with that one.
  /// What follows it can be joined on as ever.
  private func abandon(_ corruption: RingCorruption) {
    guard let feed = feeds.first else { return }
    feed.source.stopWaiting()
    feeds.removeAll()
    emit(.ringCorrupted(feed.generation, corruption.part))
    let heard = timeline.clock.streamFrame(at: .now)?.frame ?? .zero
    if let joint = joints.last, heard < joint.at { takeBack(to: joint) }
    joints.append(TrackBoundary(generation: feed.generation, at: timeline.written, tail: lastFrame))
    end()
  }
}
