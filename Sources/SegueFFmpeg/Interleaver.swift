internal import CFFmpeg
package import SegueSystem
internal import SegueWire

/// A converter from decoded frames to the interleaved PCM of the ring. Integers are converted losslessly: samples of 8
/// bits become samples of 16 bits, and samples of more than 16 bits become samples of 32 bits. All floating-point samples
/// become 32-bit floats, in which NaN and infinity become silence.
package final class Interleaver {
  private var scratch: UnsafeMutableRawBufferPointer = .allocate(byteCount: 64 * 1024, alignment: 64)

  /// The rates of audio: from the lowest one that audio interfaces play (DirectSound's DSBFREQUENCY_MIN) to that of DSD512
  /// after decimation by eight.
  private static let rates = SampleRate(100)...SampleRate(2_822_400)

  package init() {}

  deinit { scratch.deallocate() }

  /// Returns the format to which `frame` is converted; nil for formats that a decoder of audio should never produce.
  package static func target(of frame: Frame) -> AudioFormat? {
    let sample: SampleFormat
    switch frame.sampleFormat {
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: sample = .signed16
    case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P: sample = .signed32
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP: sample = .float32
    default: return nil
    }
    let format = AudioFormat(sample: sample, rate: frame.rate, channels: frame.layout)
    return format.channels.isValid && rates.contains(format.rate) ? format : nil
  }

  /// Returns the reason why `frame` is not converted, if that is the rate or the number of channels that a header states.
  package static func refusal(of frame: Frame) -> MediaError? {
    if frame.rate.hertz > 0, !rates.contains(frame.rate) {
      return .unplayable("audio with a sample rate of \(frame.rate) is not supported")
    }
    if frame.channelCount > 0, !frame.layout.isValid {
      return .unplayable("audio with \(frame.channelCount) channels is not supported")
    }
    return nil
  }

  /// Returns `count` frames from `start` on. The bytes are valid until the next call, or until `frame` is reused.
  package func interleave(_ frame: Frame, from start: Int, count: Int) -> UnsafeRawBufferPointer {
    switch frame.sampleFormat {
    case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32: slice(frame, start, count)
    case AV_SAMPLE_FMT_S16P where frame.channelCount == 1, AV_SAMPLE_FMT_S32P where frame.channelCount == 1:
      slice(frame, start, count)
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P:
      convertSamples(frame, start, count) { (x: UInt8) in (Int16(x) - 128) << 8 }
    case AV_SAMPLE_FMT_S16P: convertSamples(frame, start, count) { (x: Int16) in x }
    case AV_SAMPLE_FMT_S32P: convertSamples(frame, start, count) { (x: Int32) in x }
    case AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P:
      convertSamples(frame, start, count) { (x: Int64) in Int32(truncatingIfNeeded: x >> 32) }
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: convertSamples(frame, start, count) { (x: Float) in x.isFinite ? x : 0 }
    case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
      // A finite double may become infinite as a float.
      convertSamples(frame, start, count) { (x: Double) in
        let narrow = Float(x)
        return narrow.isFinite ? narrow : 0
      }
    default: UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  private func slice(_ frame: Frame, _ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
    let stride = Int(av_get_bytes_per_sample(frame.sampleFormat)) * frame.channelCount
    let data = UnsafeRawPointer(frame.pointer.pointee.extended_data[0])
    return UnsafeRawBufferPointer(start: data.map { $0 + start * stride }, count: count * stride)
  }

  @inline(__always)
  private func convertSamples<Source, Target>(
    _ frame: Frame, _ start: Int, _ count: Int, _ convert: (Source) -> Target
  ) -> UnsafeRawBufferPointer {
    let channels = frame.channelCount
    let size = count * channels * MemoryLayout<Target>.stride
    let target = scratchMemory(for: size).bindMemory(to: Target.self, capacity: count * channels)
    guard let planes = frame.pointer.pointee.extended_data else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let isPlanar = av_sample_fmt_is_planar(frame.sampleFormat) != 0
    func plane(_ index: Int) -> UnsafePointer<Source>? {
      planes[index].map { UnsafeRawPointer($0).assumingMemoryBound(to: Source.self) }
    }
    if !isPlanar || channels == 1 {
      guard let source = plane(0) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
      let first = source + start * channels
      for index in 0..<count * channels { target[index] = convert(first[index]) }
    } else if channels == 2, let left = plane(0), let right = plane(1) {
      for index in 0..<count {
        target[2 * index] = convert(left[start + index])
        target[2 * index + 1] = convert(right[start + index])
      }
    } else {
      for channel in 0..<channels {
        guard let source = plane(channel) else { continue }
        for index in 0..<count { target[index * channels + channel] = convert(source[start + index]) }
      }
    }
    return UnsafeRawBufferPointer(start: target, count: size)
  }

  private func scratchMemory(for size: Int) -> UnsafeMutableRawPointer {
    if size > scratch.count {
      scratch.deallocate()
      scratch = .allocate(byteCount: size, alignment: 64)
    }
    // An allocation of more than zero bytes has an address.
    return scratch.baseAddress.unsafelyUnwrapped
  }
}
