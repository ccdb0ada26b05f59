internal import CFFmpeg
internal import Glibc
internal import SegueSystem
package import SegueWire

/// A reason why a source yields no PCM, or no further PCM.
package enum MediaError: Error {
  /// A command that replaces the source was received during a read. Nobody expects a response.
  case interrupted
  case failed(Failure)

  package static func unplayable(_ reason: LocalizableMessage) -> MediaError { .failed(Failure(.unplayable, reason)) }

  package static func damaged(_ detail: LocalizableMessage) -> MediaError {
    .failed(Failure(.damaged, "the file is damaged: \(detail)"))
  }

  /// The failure that is sent as the response to a request.
  package var failure: Failure {
    switch self {
    case .failed(let failure): failure
    case .interrupted: Failure(.unavailable, "interrupted")
    }
  }

  /// Creates an error from the negative result of a libav* function. `doing` is a verb phrase, such as "open".
  init(code: Int32, doing: LocalizableMessage) {
    switch code {
    case segue_averror_exit: self = .interrupted
    case segue_averror_invalid_data, -EINVAL:
      self = .unplayable("unrecognised file format: not audio, or truncated before any audio")
    case segue_averror_eof: self = .damaged("it ends before any audio")
    // Playback never needs that much memory. A length in the header is wrong.
    case -ENOMEM: self = .damaged("its header states a size that exceeds the available memory")
    case -EIO: self = .failed(Failure(.damaged, "the file or its disk is damaged: read error (input/output error)"))
    case segue_averror_patch_welcome, -ENOSYS:
      self = .unplayable("it uses a feature of its format that FFmpeg does not decode")
    case segue_averror_decoder_not_found: self = .unplayable("no decoder for its codec")
    default: self = .failed(Failure(.unplayable, "cannot \(doing) it: \(Self.text(of: code))"))
    }
  }

  /// Creates an error from the result of opening a source. If `diagnose` finds the reason in the bytes of the file,
  /// that reason is preferred to the code.
  init(openingFailedWith code: Int32, diagnose: () -> Failure?) {
    let isPrecise = code == segue_averror_exit || code == segue_averror_patch_welcome || code == -ENOSYS
    if !isPrecise, let failure = diagnose() {
      self = .failed(failure)
    } else {
      self = MediaError(code: code, doing: "open")
    }
  }

  /// The messages of FFmpeg that users may see, as clients translate them.
  private static let messages: [LocalizableMessage] = [
    LocalizableMessage("Bitstream filter not found"), LocalizableMessage("Internal bug, should not have happened"),
    LocalizableMessage("Buffer too small"), LocalizableMessage("Decoder not found"),
    LocalizableMessage("Demuxer not found"), LocalizableMessage("End of file"),
    LocalizableMessage("Generic error in an external library"),
    LocalizableMessage("Invalid data found when processing input"), LocalizableMessage("Protocol not found"),
    LocalizableMessage("Stream not found"), LocalizableMessage("Unknown error occurred"),
    LocalizableMessage("Experimental feature"), LocalizableMessage("Input changed"),
    LocalizableMessage("Output changed"),
  ]

  /// Returns the message of FFmpeg for an error. The codes of its own errors are letters, and below those of system
  /// calls.
  private static func text(of code: Int32) -> LocalizableMessage {
    if (-4095)..<0 ~= code { return SystemError("", code: -code).localizableReason }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let text = buffer.baseAddress, av_strerror(code, text, buffer.count) >= 0 else {
        return LocalizableMessage("error \(code)")
      }
      return .known(String(cString: text), in: messages)
    }
  }
}
