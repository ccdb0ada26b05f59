// Thread: the decoding thread; see Worker.swift.

internal import SegueFFmpeg
internal import SegueRing
internal import SegueSystem
internal import SegueTags
internal import SegueWire
internal import SegueWorkerProtocol

/// A pipeline that decodes the current track and its successor into the ring.
final class DecodePipeline {
  private let inbox: CommandInbox
  private let events: EventSender
  private let renderer = Renderer()
  private var output: RingOutput?
  /// The way of rendered PCM to `output`.
  private var changer: SpeedChanger?
  /// The job that is being decoded, and the one that begins at its end.
  private var current: DecodeJob?
  private var following: DecodeJob?
  /// The file on a server that was opened last.
  private var remoteFile: (url: String, FetchedFile)?

  /// The condition under which there is more to do.
  enum Progress {
    /// There is more to do immediately.
    case busy
    /// There is nothing to do until a command is received.
    case idle
    /// There is nothing to do until the ring has room or, if a length is given, only that much audio is left in it.
    case ringFull(untilLeft: MediaTime? = nil)
    /// There is nothing to do until a command is received or the deadline passes.
    case waiting(until: MonotonicTime)
  }

  init(_ inbox: CommandInbox, _ events: EventSender) {
    self.inbox = inbox
    self.events = events
  }

  // MARK: Commands

  func attach(_ ring: SharedRing) {
    let output = RingOutput(ring)
    self.output = output
    changer = SpeedChanger(output, events)
  }

  /// Discards all jobs and decodes `job`.
  func open(_ job: DecodeJob) {
    output?.markStale()
    discardJobs()
    current = job
  }

  /// Discards all jobs and decodes the source of the generation `previous` from `start`, if it is being decoded.
  func restart(_ generation: Generation, _ source: MediaSource, of previous: Generation, start: MediaTime) {
    guard let job = current, job.generation == previous, let origin = job.originOfRestart else {
      output?.markStale()
      discardJobs()
      return events.send(generation, .sourceNeeded)
    }
    open(DecodeJob(generation, source, origin, start: start))
  }

  /// Decodes `job` after the generation `predecessor` without a gap. If all of `predecessor` has been decoded, `job`
  /// replaces the job that followed it.
  func follow(_ job: DecodeJob, after predecessor: Generation) {
    if current?.generation == predecessor {
      following = job
    } else {
      renderer.discard()
      changer?.discard(after: predecessor)
      renderer.connect(job, after: predecessor)
      current = job
      following = nil
    }
  }

  /// Discards all jobs.
  func halt() {
    discardJobs()
    remoteFile = nil
  }

  private func discardJobs() {
    renderer.discard()
    changer?.discard()
    current = nil
    following = nil
  }

  // MARK: Waiting

  /// Prepares to wait until the ring has room or, if a length is given, only that much audio is left in it. Returns the
  /// descriptor to poll; nil if that is so already.
  func prepareToWaitForRing(untilLeft left: MediaTime?) -> Int32? {
    guard let output else { return nil }
    output.signal()
    return output.prepareToWait(untilLeft: left) ? output.ring.space.raw : nil
  }

  func stopWaitingForRing() { output?.stopWaiting() }

  /// Reads bytes ahead of the track on a server that is being decoded. Returns the descriptor that is readable when
  /// there are more; nil if none are to be read.
  func readAhead() -> Int32? {
    guard case .decoding(let track, _) = current?.state else { return nil }
    return track.remoteFile?.readAhead()
  }

  // MARK: Decoding

  /// Whether other processes may use the processor before more is decoded.
  var hasEnoughForNow: Bool { output?.hasEnoughForNow == true }

  /// Decodes for about a quarter of a millisecond, so that a command is not delayed by more.
  func work() -> Progress {
    guard let output, let changer else { return .idle }
    let deadline = MonotonicTime.now + MediaTime.microseconds(250)
    repeat {
      guard changer.flush() else { return .ringFull() }
      guard let job = current else {
        changer.finish()
        guard changer.isEmpty else { continue }
        return .idle
      }
      do throws(MediaError) {
        let progress = try advance(job, output, changer)
        guard case .busy = progress else { return progress }
      } catch {
        if let change = job.changeOfFile {
          Log.info("a file has changed while it was decoded")
          job.state = .changed(change)
          continue
        }
        if case .decoding = job.state, job.isRendered {
          // Plays the audio that is held back, and the end of the previous track with which it was being mixed.
          renderer.finishFade(of: job)
          renderer.releaseHeldBack()
          job.state = .failed(error, at: job.position)
          continue
        }
        advanceToFollowing()
        switch error {
        case .failed(let failure):
          changer.report(job.generation, job.isCutOff ? .cutOff(failure, at: job.position) : .failed(failure))
        // The command that replaces the source is executed before the following source is opened.
        case .interrupted: return .busy
        }
      }
    } while MonotonicTime.now < deadline
    return .busy
  }

  /// Does one step of `job`.
  private func advance(
    _ job: DecodeJob, _ output: RingOutput, _ changer: SpeedChanger
  ) throws(MediaError) -> Progress {
    guard renderer.flush(into: changer) else { return changer.isEmpty ? .ringFull() : .busy }
    switch job.state {
    case .waiting: try openSource(of: job, changer)
    case .decoding(let track, let since):
      if job.unwritten.count > 0 {
        write(job.unwritten, of: job, to: output)
        return job.unwritten.count == 0 ? .busy : .ringFull()
      }
      if job.isRendered, renderer.renderRemainder(of: job) { return .busy }
      guard output.canWriteMarker, !output.isFilled else { return .ringFull() }
      switch try track.next() {
      case .pcm(let format, let frame, let bytes):
        let amplified = job.amplifier?.apply(format, bytes) ?? bytes
        if job.isRendered {
          try renderer.render(job, format, at: frame, amplified)
          return .busy
        }
        if format != job.format {
          output.write(job.beginMarker(format, at: frame))
          job.format = format
        }
        write(amplified, of: job, to: output)
      case .title(let title, let time):
        changer.report(job.generation, .title(title, at: time))
      case .end(_, _, _, let stop) where job.isCutOff && (stop != nil || track.isLive):
        // libavformat takes a stream whose segments cannot be requested any more for one that has ended.
        throw .failed(stop ?? FetchClient.processEnded)
      case .end(let format, let frame, let duration, let stop):
        if let progress = awaitGrowth(of: job, track, output) { return progress }
        if job.isRendered {
          if let deadline = renderer.finish(job, format, duration, openedAt: since, following: following) {
            return .waiting(until: deadline)
          }
          if let stop { changer.report(job.generation, .incomplete(stop)) }
          return .busy
        }
        if let stop { events.send(job.generation, .incomplete(stop)) }
        output.write(job.endMarker(format, at: frame))
        events.send(job.generation, .ended(duration: duration))
        advanceToFollowing()
      }
    case .changed(let change):
      if let deadline = change.wait { return .waiting(until: deadline) }
      do throws(MediaError) {
        try reopen(job, change, changer)
      } catch {
        guard case .failed = error, let deadline = change.retry else { throw error }
        return .waiting(until: deadline)
      }
    case .rendered(let duration, let fade):
      // A following track is only given after the daemon was told that this one is open, so no event precedes these.
      if let fade { events.send(job.generation, .faded(from: fade.from, into: fade.into)) }
      if following?.continuesStretching(job) != true {
        changer.finish()
      } else if !changer.isEmpty {
        // The file of the following track may crash this process before it has any PCM.
        events.send(job.generation, .decoded)
      }
      changer.report(job.generation, .ended(duration: duration))
      renderer.handOver(job, to: following, fadingInto: fade?.into)
      advanceToFollowing()
    case .failed(let error, _):
      changer.finish()
      guard changer.isEmpty else { return .busy }
      throw error
    }
    return .busy
  }

  /// Returns what to do before `job`, whose file was decoded to its end, ends; nil if it ends now. A crossfade needs
  /// the end of the track before it is played, so such a track ends where its file ended when it was opened.
  private func awaitGrowth(of job: DecodeJob, _ track: MediaTrack, _ output: RingOutput) -> Progress? {
    guard let file = track.demuxer.file, job.source.fadeOut == .zero, job.source.rangeEnd == nil else { return nil }
    switch job.growth.decide(file, left: output.timeLeft) {
    case .proceed:
      job.state = .changed(FileChange(of: file, at: track.nextPosition, isGrowing: true))
      return .busy
    case .drain(let left): return .ringFull(untilLeft: left)
    case .wait(let deadline):
      output.signal()
      return .waiting(until: deadline)
    case .end: return nil
    }
  }

  private func openSource(of job: DecodeJob, _ changer: SpeedChanger) throws(MediaError) {
    switch job.origin {
    case .input(let input): begin(job, try openTrack(of: job, input), changer)
    case .track(let track):
      guard try restart(track, job) else {
        current = nil
        return events.send(job.generation, .sourceNeeded)
      }
      begin(job, track, changer)
    }
  }

  /// Begins to decode `job` from `track`.
  private func begin(_ job: DecodeJob, _ track: MediaTrack, _ changer: SpeedChanger) {
    remoteFile = track.remoteFile.flatMap { file in job.source.url.map { ($0, file) } }
    var info = track.info
    job.gain = job.source.gain.gain(for: track.gain)
    info.gain = job.gain
    changer.report(job.generation, .opened(info))
    job.begin(track)
    if job.isRendered { return renderer.prepare(job, info) }
    renderer.discard()
    changer.finish()
  }

  /// Opens the file of `job` again, and continues where the change was noticed. The gain stays the same within a track.
  private func reopen(_ job: DecodeJob, _ change: FileChange, _ changer: SpeedChanger) throws(MediaError) {
    change.file.refresh()
    let track = try MediaTrack.open(job.source, .file(change.file), start: change.position, .brief)
    guard job.format != nil || job.isRendered else { return begin(job, track, changer) }
    var info = track.info
    info.gain = job.gain
    changer.report(job.generation, .opened(info))
    job.begin(track)
  }

  /// Returns the track of `job`, which is opened: from the file on a server that was opened last, if it is that of
  /// `job`, and otherwise from `input`.
  private func openTrack(of job: DecodeJob, _ input: MediaInput) throws(MediaError) -> MediaTrack {
    if let (url, file) = remoteFile, url == job.source.url, file.isUsable {
      do throws(MediaError) {
        return try open(job, .remoteFile(file))
      } catch {
        // If the file on the server has changed, it is opened from its beginning.
        guard case .failed(let failure) = error, failure.kind == .badResponse else { throw error }
      }
    }
    return try open(job, input)
  }

  private func open(_ job: DecodeJob, _ input: MediaInput) throws(MediaError) -> MediaTrack {
    connect(job, to: input.client)
    return try MediaTrack.open(job.source, input, start: job.start, .brief)
  }

  /// Returns whether `track` continues with the start of `job`. If it cannot be read there, it is opened again.
  private func restart(_ track: MediaTrack, _ job: DecodeJob) throws(MediaError) -> Bool {
    connect(job, to: track.remoteFile?.client)
    do throws(MediaError) {
      return try track.restart(at: job.start)
    } catch {
      guard case .failed = error else { throw error }
      return false
    }
  }

  /// Lets `job` be read through `client`, which is nil for a local file.
  private func connect(_ job: DecodeJob, to client: FetchClient?) {
    let generation = job.generation
    job.client = client
    client?.onConnectionChange = { [events] isLost in
      events.send(generation, isLost ? .interrupted : .resumed)
    }
  }

  /// Writes as much of `bytes` as the ring has room for, and keeps the rest in `job`.
  private func write(_ bytes: UnsafeRawBufferPointer, of job: DecodeJob, to output: RingOutput) {
    job.unwritten = UnsafeRawBufferPointer(rebasing: bytes[output.write(bytes)...])
  }

  private func advanceToFollowing() {
    current = following
    following = nil
  }
}

/// A track, or a range of a file, that is decoded into the ring as one generation.
final class DecodeJob {
  let generation: Generation
  let source: MediaSource
  let origin: Origin
  let start: MediaTime
  /// The client through which the source is read; nil for a local file, and before the source is opened.
  var client: FetchClient?
  var state = State.waiting
  /// The format of the last `begin` marker.
  var format: AudioFormat?
  /// The gain with which the track is played; nil if it is played without gain.
  var gain: AppliedGain? { didSet { amplifier = gain.flatMap(Amplifier.init) } }
  /// The amplifier that applies the gain; nil if that changes nothing.
  private(set) var amplifier: Amplifier?
  /// The growth of the file while it is decoded.
  var growth = FileGrowth()
  /// The PCM for which the ring had no room. It lies in memory of the track or of the amplifier, and is valid until the
  /// next output of the track.
  var unwritten = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The state of rendering. Only `Renderer` uses it.
  var rendering = Renderer.JobState()
  /// The speed at which the track is played.
  private(set) var speed: PlaybackSpeed

  /// Whether the PCM is resampled, crossfaded or stretched before it is written to the ring.
  var isRendered: Bool { source.rate != nil || source.fadeOut > .zero || speed != .normal }

  /// Whether the PCM can be stretched together with that of `previous`, which ends where this track begins. A stream
  /// may take long to open, and the end of `previous` must not wait for that.
  func continuesStretching(_ previous: DecodeJob) -> Bool { speed == previous.speed && source.url == nil }

  /// Begins to decode `track`. A live stream cannot be played faster than it arrives, nor slower forever.
  func begin(_ track: MediaTrack) {
    if track.isLive { speed = .normal }
    state = .decoding(track, since: .now)
  }

  /// The position of the track up to which it was decoded.
  var position: MediaTime {
    switch state {
    case .waiting: start
    case .decoding(let track, _): track.position
    case .changed(let change): change.position
    case .rendered(let duration, _): duration
    case .failed(_, let position): position
    }
  }

  /// Returns the marker before PCM in `format` that begins at `frame`.
  func beginMarker(_ format: AudioFormat, at frame: Frames) -> StreamMarker {
    StreamMarker(
      kind: .begin, generation: generation, format: format, mediaFrame: frame, speed: speed,
      isSourceCached: self.format == nil && isSourceCached)
  }

  /// Returns the marker after all PCM, which is in `format`.
  func endMarker(_ format: AudioFormat, at frame: Frames) -> StreamMarker {
    StreamMarker(kind: .end, generation: generation, format: format, mediaFrame: frame)
  }

  /// Whether the source's bytes that follow are in memory, for two seconds or more.
  private var isSourceCached: Bool {
    switch state {
    case .decoding(let track, _): track.demuxer.isCached
    case .waiting, .changed, .rendered, .failed: false
    }
  }

  /// The origin of a job for another position of the same source; nil if the source must be opened again for that.
  var originOfRestart: Origin? {
    switch state {
    case .waiting: origin
    case .decoding(let track, _): .track(track)
    case .changed, .rendered, .failed: nil
    }
  }

  /// The change of the file that made its reader fail; nil if that had another reason.
  var changeOfFile: FileChange? {
    let (file, position): (FileInput?, MediaTime) =
      switch state {
      case .waiting:
        if case .input(.file(let file)) = origin { (file, start) } else { (nil, start) }
      case .decoding(let track, _): (track.demuxer.file, track.nextPosition)
      case .changed, .rendered, .failed: (nil, start)
      }
    guard let file, file.hasChanged else { return nil }
    return FileChange(of: file, at: position)
  }

  /// Whether the fetch process that serves the source has ended.
  var isCutOff: Bool { client?.isClosed == true }

  /// The origin of the source: it is to be opened, or is open.
  enum Origin {
    case input(MediaInput)
    /// The source is open already.
    case track(MediaTrack)
  }

  enum State {
    case waiting
    case decoding(MediaTrack, since: MonotonicTime)
    /// The file has changed, and is to be opened again.
    case changed(FileChange)
    /// The whole track, which has this duration, is rendered. Its end may still be in the render buffer, where
    /// everything from `fade` on is held back for a crossfade into the next generation.
    case rendered(MediaTime, fade: (from: MediaTime, into: Generation)?)
    /// Decoding failed. The audio before the failure may still be in the render buffer.
    /// `at`: the position up to which it was decoded.
    case failed(MediaError, at: MediaTime)
  }

  init(_ generation: Generation, _ source: MediaSource, _ origin: Origin, start: MediaTime) {
    self.generation = generation
    self.source = source
    self.origin = origin
    self.start = start
    speed = source.speed
  }
}
