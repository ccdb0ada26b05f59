internal import CFFmpeg
internal import Glibc
internal import SegueWire

/// Why a source gives no (more) PCM.
enum MediaError: Error {
  /// An order that replaces the source came while it was being read; nobody waits for an answer.
  case interrupted
  case failed(Failure)

  static func unplayable(_ reason: String) -> MediaError { .failed(Failure(.unplayable, reason)) }

  static func damaged(_ detail: String) -> MediaError { .failed(Failure(.damaged, "the file is damaged: \(detail)")) }

  /// What a libav* call answered below zero, as a sentence for people. `doing` is a verb phrase: "open", "seek in".
  init(code: Int32, doing: String) {
    switch code {
    case segue_averror_exit: self = .interrupted
    case segue_averror_invalid_data, -EINVAL:
      self = .unplayable("not audio, or cut off before any began: it has the form of no known format")
    case segue_averror_eof: self = .damaged("it ends before any audio")
    // Nothing that is played needs more than there is: a length in the header is wrong.
    case -ENOMEM: self = .damaged("its header claims sizes that no memory holds")
    case -EIO: self = .failed(Failure(.damaged, "the file or its disk is damaged: reading fails (input/output error)"))
    case segue_averror_patch_welcome, -ENOSYS:
      self = .unplayable("it uses a feature of its format that FFmpeg does not decode")
    case segue_averror_decoder_not_found: self = .unplayable("no decoder for its codec")
    case segue_averror_protocol_not_found:
      self = .failed(Failure(.unavailable, "cannot \(doing) it: its protocol is not supported"))
    case segue_averror_http_not_found: self = .failed(Failure(.notFound, "the server has no such file (404)"))
    case segue_averror_http_forbidden, segue_averror_http_unauthorized:
      self = .failed(Failure(.denied, "the server does not give it to us"))
    default: self = .failed(Failure(.unplayable, "cannot \(doing) it: \(Self.text(of: code))"))
    }
  }

  /// The same of a file, the bytes of which may tell more than the code.
  init(code: Int32, doing: String, _ file: SourceFile?) {
    let isOurs = code == segue_averror_exit || code == segue_averror_patch_welcome || code == -ENOSYS
    if !isOurs, let file, let failure = FileDiagnosis(file).failureToOpen {
      self = .failed(failure)
    } else {
      self.init(code: code, doing: doing)
    }
  }

  private static func text(of code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let text = buffer.baseAddress, av_strerror(code, text, buffer.count) >= 0 else { return "error \(code)" }
      return String(cString: text)
    }
  }
}
