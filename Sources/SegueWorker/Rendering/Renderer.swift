// Thread: the decoding thread; see Worker.swift.
internal import Glibc
internal import SegueFFmpeg
internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A renderer of tracks that are not played as they are: it resamples their PCM, mixes it with the end of the previous
/// track, and buffers the result until it can be written.
final class Renderer {
  private let buffer = RenderBuffer()
  /// The resampler is kept from track to track while the formats stay the same, so that their boundaries are resampled,
  /// too.
  private var resampler: Resampler?
  /// The last track that was rendered to its end.
  private var lastRendered: RenderedTrack?

  /// The time after the opening of a track within which the daemon sends the track that follows.
  private static let followTimeout = MediaTime.milliseconds(250)
  /// The maximum size of the audio that is held back, in bytes.
  private static let maximumHeldBack = 32 << 20

  struct RenderedTrack {
    let generation: Generation
    let source: AudioFormat
    let target: AudioFormat
  }

  /// The state of rendering a job.
  struct JobState {
    /// The previous track, if it was rendered.
    fileprivate var previous: RenderedTrack?
    /// The crossfade from the end of the previous track, which is in the buffer, until it is complete.
    fileprivate var fade: Crossfade?
    /// The time from which on the end of the track is held back for a crossfade.
    fileprivate var holdsBackFrom = MediaTime.zero
    /// The source format of the last PCM; nil until there is any.
    fileprivate var source: AudioFormat?
    /// The time in the track after the last PCM.
    fileprivate var end = MediaTime.zero
  }

  /// Discards all that is buffered.
  func discard() {
    buffer.removeAll()
    resampler = nil
  }

  /// Makes `predecessor` the previous track of `job` if it was the last rendered track.
  func connect(_ job: DecodeJob, after predecessor: Generation) {
    if lastRendered?.generation == predecessor { job.rendering.previous = lastRendered }
  }

  /// Writes buffered PCM to `output`. Returns whether everything was written that is not held back.
  func flush(into output: SpeedChanger) -> Bool { buffer.flush(into: output, report: output.report) }

  /// Prepares to render `job`, which was opened.
  func prepare(_ job: DecodeJob, _ info: MediaInfo) {
    // Audio is held back as late as possible. A track of estimated duration may end much earlier than estimated, so its
    // audio is held back from the middle on.
    guard let duration = info.duration else { return }
    let half = duration / 2
    job.rendering.holdsBackFrom = info.durationKind == .exact ? max(.zero, duration - job.source.fadeOut) : half
  }

  /// Renders `pcm`, which begins at `frame` of the track. `renderRemainder(of:)` must be called afterwards, until it
  /// returns false.
  func render(
    _ job: DecodeJob, _ format: AudioFormat, at frame: Frames, _ pcm: UnsafeRawBufferPointer
  ) throws(MediaError) {
    let target = targetFormat(of: job, format)
    if format != job.rendering.source {
      begin(job, target, at: target.rate.frames(in: format.rate.time(of: frame)))
      if resampler?.source != format || resampler?.target != target {
        // The end of the previous track was marked while the resampler still held a third of a millisecond of it.
        if let resampler, resampler.target == target { drain(resampler, of: job) }
        resampler = Resampler(from: format, to: target)
      }
      job.rendering.source = format
    }
    guard let resampler else {
      throw .unplayable("cannot convert \(format.channels.count) channels at \(format.rate) to \(target.rate)")
    }
    job.rendering.end = format.rate.time(of: frame + Frames(pcm.count / format.bytesPerFrame))
    appendPart(resampler.convert(pcm), of: job, target)
  }

  /// Renders a further part of the PCM that was rendered last, once everything before it is written that is not held
  /// back. Returns false if there is none.
  func renderRemainder(of job: DecodeJob) -> Bool {
    guard let resampler else { return false }
    let part = resampler.remainder()
    guard part.count > 0 else { return false }
    appendPart(part, of: job, resampler.target)
    return true
  }

  /// Ends the crossfade at the beginning of `job` if the track ended before it: the rest of the previous track fades
  /// out alone.
  func finishFade(of job: DecodeJob) {
    guard var fade = job.rendering.fade, let format = job.rendering.previous?.target else { return }
    // The track may have no PCM. The rest of the previous track then becomes its beginning.
    begin(job, format, at: .zero)
    fade.mix(nil, into: buffer.suffix(fade.left * format.bytesPerFrame), channels: Int(format.channels.count))
    job.rendering.fade = nil
    buffer.heldBack = 0
  }

  func releaseHeldBack() { buffer.heldBack = 0 }

  /// Ends `job`, which continues in the following track without a gap, or fades into it. If the following track may
  /// still be received, returns the time until which to wait for it.
  func finish(
    _ job: DecodeJob, _ format: AudioFormat, _ duration: MediaTime, openedAt: MonotonicTime, following: DecodeJob?
  ) -> MonotonicTime? {
    if following == nil, MonotonicTime.now < openedAt + Self.followTimeout { return openedAt + Self.followTimeout }
    let target = targetFormat(of: job, format)
    let overlap = following.map { Self.overlap(of: job, lasting: duration, with: $0) } ?? .zero
    if overlap > .zero || following?.isRendered != true, let resampler {
      drain(resampler, of: job)
      self.resampler = nil
    }
    begin(job, target, at: .zero)
    finishFade(of: job)
    holdBack(job, target, atMost: overlap)
    buffer.append(job.endMarker(target, at: target.rate.frames(in: duration)), bytesBeforeEnd: buffer.heldBack)
    if buffer.heldBack > 0, let following {
      let rest = target.rate.time(of: Frames(buffer.heldBack / target.bytesPerFrame))
      job.state = .rendered(duration, fade: (max(.zero, duration - rest), following.generation))
    } else {
      job.state = .rendered(duration, fade: nil)
    }
    return nil
  }

  /// Hands over from `job`, all of which is in the ring except for the audio that is held back for `successor`.
  func handOver(_ job: DecodeJob, to next: DecodeJob?, fadingInto successor: Generation?) {
    if let source = job.rendering.source, let target = job.format {
      lastRendered = RenderedTrack(generation: job.generation, source: source, target: target)
    }
    next?.rendering.previous = lastRendered
    if let next, let target = job.format, next.generation == successor {
      next.rendering.fade = Crossfade(length: buffer.count / target.bytesPerFrame)
    } else {
      buffer.removeAll()
    }
  }

  // MARK: Details

  private func appendPart(_ pcm: UnsafeRawBufferPointer, of job: DecodeJob, _ target: AudioFormat) {
    append(pcm, of: job)
    if job.rendering.fade == nil, job.source.fadeOut > .zero, job.rendering.end >= job.rendering.holdsBackFrom {
      holdBack(job, target)
    }
  }

  /// Appends all frames that `resampler` holds back, which are those of a fraction of a second.
  private func drain(_ resampler: Resampler, of job: DecodeJob) {
    while true {
      let part = resampler.drain()
      guard part.count > 0 else { return }
      append(part, of: job)
    }
  }

  /// Mixes `pcm` with the audio that is held back of the previous track, and appends the rest.
  private func append(_ pcm: UnsafeRawBufferPointer, of job: DecodeJob) {
    var pcm = pcm
    if var fade = job.rendering.fade, let format = job.format {
      let count = min(pcm.count, fade.left * format.bytesPerFrame)
      let old = buffer.suffix(fade.left * format.bytesPerFrame)
      fade.mix(
        UnsafeRawBufferPointer(rebasing: pcm[..<count]), into: UnsafeMutableRawBufferPointer(rebasing: old[..<count]),
        channels: Int(format.channels.count))
      buffer.heldBack = fade.left * format.bytesPerFrame
      job.rendering.fade = fade.left > 0 ? fade : nil
      pcm = UnsafeRawBufferPointer(rebasing: pcm[count...])
    }
    buffer.append(pcm)
  }

  /// Holds back as much of the buffer as may be crossfaded with the following track, but not more than `limit`.
  private func holdBack(_ job: DecodeJob, _ target: AudioFormat, atMost limit: MediaTime = .maximum) {
    let wanted = Int(target.rate.frames(in: min(job.source.fadeOut, limit)).count)
    buffer.heldBack =
      min(wanted, Self.maximumHeldBack / target.bytesPerFrame, buffer.countAfterLastMarker / target.bytesPerFrame)
      * target.bytesPerFrame
  }

  /// Appends a marker that the PCM of `job` is in `target` format from here on, unless it already is.
  private func begin(_ job: DecodeJob, _ target: AudioFormat, at frame: Frames) {
    guard target != job.format else { return }
    // If the track is crossfaded, it begins where the audio that is held back of the previous track begins.
    let bytesBeforeEnd = job.rendering.fade == nil ? 0 : buffer.count
    buffer.append(job.beginMarker(target, at: frame), bytesBeforeEnd: bytesBeforeEnd)
    job.format = target
  }

  /// Returns the format in which `format` is rendered. A track that is crossfaded with the previous track, or that has
  /// the same source format, is rendered in the previous track's format, to avoid a gap.
  private func targetFormat(of job: DecodeJob, _ format: AudioFormat) -> AudioFormat {
    let source = job.source
    if source.fadeOut > .zero, let previous = job.rendering.previous,
      job.rendering.fade != nil || job.format == previous.target || previous.source == format
    {
      return previous.target
    }
    var target = format
    target.sample = .float32
    target.rate = source.rate ?? format.rate
    if job.speed != .normal, target.rate > TimeStretcher.maximumRate {
      target.rate = target.rate.hertz % 11_025 == 0 ? SampleRate(176_400) : TimeStretcher.maximumRate
    }
    guard source.fadeOut > .zero else { return target }
    // The following track may have more channels or a higher rate, and is then converted to this format.
    if target.channels.count == 1 { target.channels = .stereo }
    if source.rate == nil, target.rate < .cd {
      target.rate = format.rate.hertz % 11_025 == 0 ? .cd : SampleRate(48_000)
    }
    return target
  }

  /// Returns the duration of the crossfade of `job`, whose duration is `duration`, with `next`.
  private static func overlap(of job: DecodeJob, lasting duration: MediaTime, with next: DecodeJob) -> MediaTime {
    guard next.isRendered, job.source.fadeOut > .zero, next.source.fadeOut > .zero else { return .zero }
    return min(next.source.fadeIn, job.source.fadeOut, duration / 2)
  }
}

/// A crossfade of the end of a track with the beginning of the next, with gains along a cosine and a sine, so that the
/// power of uncorrelated signals stays constant.
private struct Crossfade {
  /// The length in frames.
  let length: Int
  private var done = 0

  init(length: Int) { self.length = length }

  /// The number of frames that are not yet mixed.
  var left: Int { length - done }

  /// Mixes `new` into `old`. Both have the same length, in whole frames of `channels` samples. nil is silence.
  mutating func mix(_ new: UnsafeRawBufferPointer?, into old: UnsafeMutableRawBufferPointer, channels: Int) {
    let target = old.assumingMemoryBound(to: Float.self)
    let source = new?.assumingMemoryBound(to: Float.self)
    for frame in 0..<target.count / channels {
      let angle = (Double(done + frame) + 0.5) / Double(length) * Double.pi / 2
      let (fall, rise) = (Float(cos(angle)), Float(sin(angle)))
      for sample in frame * channels..<(frame + 1) * channels {
        target[sample] = target[sample] * fall + (source?[sample] ?? 0) * rise
      }
    }
    done += target.count / channels
  }
}
