internal import SegueFiles
public import SegueSystem

/// The facts that identify a track apart from its path.
enum TrackIdentity {
  case audio(UInt64)
  /// The recording is the same, but it may have been encoded anew.
  case recording(UInt64)

  var column: String {
    switch self {
    case .audio: "audio_digest"
    case .recording: "recording"
    }
  }

  var value: UInt64 {
    switch self {
    case .audio(let value), .recording(let value): value
    }
  }
}

/// A track as far as it is compared with others that may be the same one, before or after it was moved.
struct MovableTrack {
  var uri: String
  var path: FilePath
  /// The path under which queue and playlists have the track.
  var followedPath: FilePath
  /// The frame at which the track begins; -1 for the track of a whole file.
  let rangeStart: Int64
  let audioDigest: UInt64?
  let recording: UInt64?
  let release: String?
  let size: Int64
  let modified: Int64
  let added: UnixTime

  /// The maximum number of tracks with the same identity that are compared.
  static let maximumCandidates = 64

  /// The facts that identify the track, the most certain first.
  var identities: [TrackIdentity] {
    [audioDigest.map(TrackIdentity.audio), recording.map(TrackIdentity.recording)].compactMap(\.self)
  }

  /// Returns the best of `candidates`. Of tracks with the same audio, it is the one that was copied with its time, or whose
  /// path ends most alike. A recording may be on several albums: if the album is not the same, there must be no other
  /// candidate.
  func best(_ candidates: [MovableTrack], _ identity: TrackIdentity) -> MovableTrack? {
    switch identity {
    case .audio: candidates.max { similarity(to: $0) < similarity(to: $1) }
    case .recording:
      candidates.first { release != nil && $0.release == release }
        ?? (candidates.count == 1 ? candidates.first : nil)
    }
  }

  /// Returns whether the two are certainly not the same track.
  func isOther(than track: MovableTrack) -> Bool {
    guard let audioDigest, let other = track.audioDigest, audioDigest != other else { return false }
    return recording == nil || recording != track.recording
  }

  private func similarity(to other: MovableTrack) -> MoveSimilarity {
    MoveSimilarity(
      path, other.path, hasSameStamp: size == other.size && modified == other.modified)
  }
}

extension MovableTrack {
  init(_ row: TrackRow, _ uri: String, _ path: FilePath) {
    self.init(
      uri: uri, path: path, followedPath: path, rangeStart: row.range?.start ?? -1, audioDigest: row.audioDigest,
      recording: row.recording,
      release: row.release, size: row.stamp.size, modified: row.stamp.modified, added: row.added)
  }
}

/// How likely two files with the same audio are the same one, before and after it was moved.
public struct MoveSimilarity: Comparable {
  /// Whether the file was not written meanwhile: size and time are the same.
  private let hasSameStamp: Bool
  /// The number of equal components at the ends of the paths.
  private let commonNames: Int

  public init(_ old: FilePath, _ new: FilePath, hasSameStamp: Bool) {
    self.hasSameStamp = hasSameStamp
    let slash = UInt8(ascii: "/")
    let (a, b) = (old.bytes.split(separator: slash), new.bytes.split(separator: slash))
    commonNames = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
  }

  public static func < (a: MoveSimilarity, b: MoveSimilarity) -> Bool {
    (a.hasSameStamp ? 1 : 0, a.commonNames) < (b.hasSameStamp ? 1 : 0, b.commonNames)
  }
}
