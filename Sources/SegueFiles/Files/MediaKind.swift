public import SegueSystem

/// The kind of a file by its extension.
public enum MediaKind {
  case audio
  case playlist(PlaylistFormat)
  case other

  public init(_ path: FilePath) {
    let suffix = path.fileExtension
    if let format = PlaylistFormat(rawValue: suffix) {
      self = .playlist(format)
    } else {
      self = Self.audioExtensions.contains(suffix) ? .audio : .other
    }
  }

  /// The extensions of audio files, and of video containers, which usually have sound.
  public static let audioExtensions: Set<String> = [
    // Lossless and uncompressed formats.
    "flac", "fla", "alac", "ape", "wv", "tta", "tak", "shn", "ofr", "wav", "wave", "w64", "rf64", "bwf", "aif", "aiff",
    "aifc", "afc", "au", "snd", "caf", "dsf", "dff", "voc",
    // Lossy formats.
    "mp3", "mp2", "mp1", "mpga", "mpa", "ogg", "oga", "opus", "spx", "aac", "adts", "m4a", "m4b", "m4p", "m4r", "mpc",
    "mp+", "mpp", "wma", "ac3", "eac3", "ec3", "dts", "dtshd", "thd", "mlp", "mka", "weba", "ra", "amr", "awb", "gsm",
    "qcp", "3ga", "oma", "at3", "aa3", "aa", "aax", "xwma",
    // Tracker modules.
    "mod", "xm", "s3m", "it", "mptm", "mtm", "stm", "669", "ult", "far", "okt", "umx", "mo3",
    // Video containers.
    "mp4", "m4v", "mkv", "webm", "ogv", "ogm", "ogx", "avi", "mov", "qt", "wmv", "asf", "flv", "f4v", "mpg", "mpeg",
    "vob", "ts", "m2ts", "mts", "3gp", "3g2", "rm", "rmvb", "divx", "nut", "mxf", "dv",
  ]
}

/// The format of a playlist, by its extension.
public enum PlaylistFormat: String {
  case m3u, m3u8, pls, xspf, cue
}
