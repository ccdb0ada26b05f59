// Thread: "art"; see ArtStore.swift.

public import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A subject of a cover: a track or an album.
public enum ArtSubject: Sendable {
  /// A track. The picture inside the file comes first, because a track of a compilation may have its own, then those in
  /// the folder.
  case track(FilePath)
  /// An album, by one of its tracks. The pictures in the folder come first, because they belong to all tracks, then the
  /// one inside the file.
  case album(FilePath)
}

/// The files that may have the cover of a subject, the best first.
struct ArtCandidates: Sendable {
  typealias Candidate = (place: CoverRequest.Place, path: FilePath)

  private var remaining: [Candidate]
  /// The maximum length of the longer side of the requested picture, in pixels; nil for the original picture.
  let edge: Int?
  /// Whether the requested picture is always a PNG.
  let format: Art.Format?

  /// Lists the folder of the subject. If that is the folder of a disc and has no cover, lists the one above it.
  init(_ subject: ArtSubject, edge: Int?, as format: Art.Format?) {
    self.edge = edge
    self.format = format
    switch subject {
    case .track(let path): remaining = [(.embedded, path)] + Self.pictures(beside: path)
    case .album(let path): remaining = Self.pictures(beside: path) + [(.embedded, path)]
    }
  }

  /// Creates a value without files.
  init(edge: Int?, as format: Art.Format?) {
    remaining = []
    self.edge = edge
    self.format = format
  }

  mutating func next() -> Candidate? { remaining.isEmpty ? nil : remaining.removeFirst() }

  /// The names of covers, the best first.
  private static let names = ["cover", "folder", "front"]
  private static let extensions = ["jpg", "jpeg", "png", "webp"]

  private static func pictures(beside path: FilePath) -> [Candidate] {
    let folder = path.parent
    var found = pictures(in: folder)
    if found.isEmpty, DiscName.number(folder.lastComponent) != nil {
      found = pictures(in: folder.parent)
    }
    return found
  }

  private static func pictures(in folder: FilePath) -> [Candidate] {
    var found: [(rank: Int, name: [UInt8])] = []
    for name in (try? Folder.names(in: folder)) ?? [] {
      if let rank = rank(of: name) { found.append((rank, name)) }
    }
    // Names that differ only by case are in the order of their bytes, so that the same one is always preferred.
    found.sort { $0.rank != $1.rank ? $0.rank < $1.rank : $0.name.lexicographicallyPrecedes($1.name) }
    return found.prefix(maximumCandidates).map { (.file, folder.appending($0.name)) }
  }

  private static let maximumCandidates = 8

  /// Returns the rank of a file; nil if it does not have the name of a cover.
  private static func rank(of name: [UInt8]) -> Int? {
    // No name of a cover is longer.
    guard name.count <= 11, let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let lower = String(decoding: name, as: UTF8.self).lowercased().utf8
    guard lower.count == name.count,
      let stem = names.firstIndex(where: { $0.utf8.elementsEqual(lower.prefix(dot)) }),
      let fileExtension = extensions.firstIndex(where: { $0.utf8.elementsEqual(lower.dropFirst(dot + 1)) })
    else { return nil }
    return stem * extensions.count + fileExtension
  }
}
