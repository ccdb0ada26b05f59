internal import CFFmpeg
internal import Glibc
internal import SegueWire

/// Why a source gives no (more) PCM.
enum MediaError: Error {
  /// An order that replaces the source came while it was being read; nobody waits for an answer.
  case interrupted
  case failed(Failure)

  static func unplayable(_ reason: String) -> MediaError { .failed(Failure(.unplayable, reason)) }

  /// What a libav* call answered below zero, said for people. `doing` is a verb phrase: "open", "seek in".
  init(code: Int32, doing: String) {
    switch code {
    case segue_averror_exit: self = .interrupted
    case segue_averror_invalid_data, -EINVAL:
      self = .unplayable("not audio, or cut off before any began: it has the form of no known format")
    case segue_averror_protocol_not_found:
      self = .failed(Failure(.unavailable, "cannot \(doing) it: its protocol is not supported"))
    case segue_averror_http_not_found: self = .failed(Failure(.notFound, "the server has no such file (404)"))
    case segue_averror_http_forbidden, segue_averror_http_unauthorized:
      self = .failed(Failure(.denied, "the server does not give it to us"))
    default: self = .failed(Failure(.unplayable, "cannot \(doing) it: \(Self.text(of: code))"))
    }
  }

  private static func text(of code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let text = buffer.baseAddress, av_strerror(code, text, buffer.count) >= 0 else { return "error \(code)" }
      return String(cString: text)
    }
  }
}
