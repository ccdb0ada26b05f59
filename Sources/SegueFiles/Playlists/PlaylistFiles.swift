public import SegueSystem
internal import SegueWire

/// A finder of the files that the entries of a playlist name, in the spellings of other systems and programs.
///
/// The name as it is written comes first. After that come the name without percent-encoding, in another normalization
/// form or in another case, and finally an audio file that has only the stem in common. Each component of a path is
/// looked up in the folder that the components before it name, and nowhere else.
public final class PlaylistFiles {
  private let playlist: FilePath
  private let format: PlaylistFormat
  private let names: FolderNameCache
  private let foreignFolders: ForeignFolders
  /// Whether the playlist is a cue sheet all of whose tracks are in one file.
  private let isOfOneFile: Bool
  /// The number of folders that the current search can still visit. A path with several spellings of each component
  /// could otherwise lead through very many.
  private var steps = 0

  private static let maximumSteps = 64
  private static let slash = UInt8(ascii: "/")

  /// Creates a finder for `items`, the entries of `playlist`.
  /// - Parameter names: A cache that finders of playlists in the same folders share.
  public init(
    _ items: [PlaylistItem], of playlist: FilePath, _ format: PlaylistFormat,
    _ names: FolderNameCache = FolderNameCache()
  ) {
    self.playlist = playlist
    self.format = format
    self.names = names
    foreignFolders = ForeignFolders(items)
    isOfOneFile = format == .cue && items.allSatisfy { $0.location == items[0].location }
  }

  /// Returns the file that `item`, an entry without a scheme, names. If there is none, returns the path as it is
  /// written; nil if it is empty.
  public func file(of item: PlaylistItem) -> FilePath? {
    guard let (name, spellings) = Self.spellings(of: item) else { return nil }
    return find(spellings) ?? playlist.parent.appending(name)
  }

  /// Returns the name of an entry without a scheme, and the forms that it may have as a path; nil if it is empty.
  private static func spellings(of item: PlaylistItem) -> (name: [UInt8], spellings: [[UInt8]])? {
    let written = item.isURI ? FileURI.percentDecoded(item.location) : item.location
    guard !written.trimmed.isEmpty, !written.contains(0) else { return nil }
    let decoded = item.decodedLocation.flatMap { $0.contains(0) || $0.trimmed.isEmpty ? nil : $0 }
    var spellings = spellings(of: written) + (decoded.map(spellings(of:)) ?? [])
    if String(validating: written, as: UTF8.self) == nil, let text = written.text { spellings.append(Array(text.utf8)) }
    // Some programs write names where the format allows only URIs.
    if item.isURI, written != item.location { spellings += Self.spellings(of: item.location) }
    return (decoded ?? written, spellings)
  }

  /// Returns the paths that `item` may name, whether there are such files or not.
  func spelledPaths(of item: PlaylistItem) -> [FilePath] {
    if let uri = item.absoluteURI {
      guard case .file(let path, _) = try? MediaURI(uri) else { return [] }
      return [path]
    }
    guard let (_, spellings) = Self.spellings(of: item) else { return [] }
    let paths = spellings.map { FilePath(bytes: $0) } + spellings.compactMap { PlaylistPath($0).decoded }
    return paths.map { playlist.parent.appending($0.bytes) }.distinct
  }

  /// Returns the file that the path of a URI names. If there is none, returns `path`.
  public func file(at path: FilePath) -> FilePath { find([path.bytes]) ?? path }

  private func find(_ spellings: [[UInt8]]) -> FilePath? {
    let folder = playlist.parent
    for spelling in spellings.distinct {
      let path = folder.appending(spelling)
      guard path.exists else { continue }
      return compressed(path) ?? path.withoutParents
    }
    let paths = spellings.map(PlaylistPath.init).distinct
    for case let path? in paths.map({ $0.decoded.map { folder.appending($0.bytes) } }) where path.exists {
      return compressed(path) ?? path.withoutParents
    }
    for path in paths {
      steps = Self.maximumSteps
      let places: [(ArraySlice<PlaylistPath.Component>, in: FilePath)] =
        switch path.root {
        case .playlist: [(path.components[...], in: folder)]
        case .fileSystem: [(path.components[...], in: FilePath("/"))]
        case .windows: []
        }
      for place in places + foreignFolders.candidates(path, in: folder).map({ ($0, in: folder) }) {
        if let found = find(place.0, in: place.in) { return found.withoutParents }
      }
    }
    guard isOfOneFile else { return nil }
    // The file has been renamed, or the sheet. They still have the same stem.
    return audio(like: NameKey(playlist.lastComponent.dropLast(".cue".utf8.count)), in: folder)
  }

  /// Returns the path of `components` in `folder`, of which each may be spelled in another way; nil if there is none.
  private func find(_ components: ArraySlice<PlaylistPath.Component>, in folder: FilePath) -> FilePath? {
    guard let first = components.first else { return folder.exists ? folder : nil }
    let rest = components.dropFirst()
    guard case .name(let spellings) = first else { return find(rest, in: folder.appending("..")) }
    guard steps > 0 else { return nil }
    steps -= 1
    for (name, match) in matches(of: spellings, in: folder) {
      let path = folder.appending(name)
      if !rest.isEmpty {
        if match.rawValue <= NameKey.Match.caseInsensitive.rawValue, let found = find(rest, in: path) { return found }
      } else if match.rawValue <= NameKey.Match.caseInsensitive.rawValue ? path.exists : path.isFile {
        return compressed(path) ?? path
      }
    }
    return nil
  }

  /// Returns the names in `folder` that match one of `spellings`, the best match first. If the folder cannot be listed,
  /// the names are those that exist.
  private func matches(of spellings: [[UInt8]], in folder: FilePath) -> [(name: [UInt8], match: NameKey.Match)] {
    guard let names = names.names(in: folder) else {
      return spellings.filter { folder.appending($0).exists }.map { ($0, .same) }
    }
    var found: [(name: [UInt8], match: NameKey.Match)] = []
    for spelling in spellings {
      let key = NameKey(spelling)
      let some = names.names(like: key).compactMap { name in key.match(of: NameKey(name)).map { (name, $0) } }
      found += some.sorted { ($0.1.rawValue, Self.preference($0.0)) < ($1.1.rawValue, Self.preference($1.0)) }
    }
    return found
  }

  /// Returns the audio file of the same stem if a cue sheet names the image of a disc that has been compressed since.
  private func compressed(_ path: FilePath) -> FilePath? {
    guard format == .cue, path.isFile else { return nil }
    if case .audio = MediaKind(path) { return nil }
    return audio(like: NameKey(path.lastComponent), in: path.parent)
  }

  private func audio(like key: NameKey, in folder: FilePath) -> FilePath? {
    let found = names.names(in: folder)?.names(like: key).compactMap { name -> (FilePath, Int)? in
      let path = folder.appending(name)
      guard case .audio = MediaKind(path), path.isFile else { return nil }
      return (path, Self.preference(name))
    }
    return found?.min { $0.1 < $1.1 }?.0
  }

  /// Returns the place of a file in the order in which files of the same stem are preferred.
  private static func preference(_ name: [UInt8]) -> Int {
    preferredExtensions.firstIndex(of: FilePath(bytes: name).fileExtension) ?? preferredExtensions.count
  }

  private static let preferredExtensions = ["flac", "wv", "ape", "tta", "tak", "m4a", "wav", "mp3", "ogg", "opus"]

  /// Returns the forms that `location` may have as a path: as written, without spaces at its ends, and with slashes in
  /// the place of backslashes.
  private static func spellings(of location: [UInt8]) -> [[UInt8]] {
    let trimmed = Array(location.trimmed)
    return [location, trimmed, trimmed.map { $0 == UInt8(ascii: "\\") ? slash : $0 }]
  }
}

extension FilePath {
  fileprivate var isFile: Bool { if case .file = try? FileKind(self) { true } else { false } }

  /// The path without ".." if it is the same file, so that a file has one URI however a playlist names it.
  fileprivate var withoutParents: FilePath {
    let plain = normalized
    guard plain != self, let other = try? FileIdentity(of: plain), other == (try? FileIdentity(of: self)) else {
      return self
    }
    return plain
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions.
  fileprivate var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
