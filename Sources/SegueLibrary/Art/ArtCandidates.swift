// Thread "art"; see ArtStore.swift.
internal import SegueLink
public import SegueSystem

/// Whose cover is sought.
public enum ArtSubject: Sendable {
  /// What is inside the file shows this very track: a single of a compilation has its own. Then the folder's.
  case track(FilePath)
  /// What somebody put beside the tracks stands for all of them. Then what is inside this one of them.
  case album(FilePath)
}

/// The files that may have the picture sought, the best first.
struct ArtCandidates: Sendable {
  typealias Source = (place: CoverRequest.Place, path: FilePath)

  private var left: [Source]
  let edge: Int?
  let asPNG: Bool

  /// Reads the folder that the subject is in, and for the folder of a disc the one above it.
  init(_ subject: ArtSubject, edge: Int?, asPNG: Bool) {
    self.edge = edge
    self.asPNG = asPNG
    switch subject {
    case .track(let path): left = [(.embedded, path)] + Self.pictures(beside: path)
    case .album(let path): left = Self.pictures(beside: path) + [(.embedded, path)]
    }
  }

  mutating func next() -> Source? { left.isEmpty ? nil : left.removeFirst() }

  /// By their names; in this order, where a folder has several.
  private static let names = ["cover", "folder", "front"]
  private static let suffixes = ["jpg", "jpeg", "png", "webp"]

  private static func pictures(beside path: FilePath) -> [Source] {
    let folder = path.parent
    var found = pictures(in: folder)
    if found.isEmpty, NameNormalization.disc(ofFolder: folder.lastComponent) != nil {
      found = pictures(in: folder.parent)
    }
    return found
  }

  private static func pictures(in folder: FilePath) -> [Source] {
    var found: [(rank: Int, name: [UInt8])] = []
    for name in (try? Folder.names(in: folder)) ?? [] {
      if let rank = rank(of: name) { found.append((rank, name)) }
    }
    // Names that differ by case alone: the same one every time.
    found.sort { $0.rank != $1.rank ? $0.rank < $1.rank : $0.name.lexicographicallyPrecedes($1.name) }
    return found.prefix(mostTried).map { (.file, folder.appending($0.name)) }
  }

  private static let mostTried = 8

  /// nil for what is called like no cover.
  private static func rank(of name: [UInt8]) -> Int? {
    // Longer than any of them.
    guard name.count <= 11, let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let lower = String(decoding: name, as: UTF8.self).lowercased().utf8
    guard lower.count == name.count,
      let stem = names.firstIndex(where: { $0.utf8.elementsEqual(lower.prefix(dot)) }),
      let suffix = suffixes.firstIndex(where: { $0.utf8.elementsEqual(lower.dropFirst(dot + 1)) })
    else { return nil }
    return stem * suffixes.count + suffix
  }
}
