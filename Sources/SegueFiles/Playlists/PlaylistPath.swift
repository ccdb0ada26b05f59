internal import SegueSystem

/// A path in a playlist, divided into components, each with the forms in which it may be spelled.
struct PlaylistPath: Hashable {
  enum Root: Hashable {
    /// The folder of the playlist.
    case playlist
    case fileSystem
    /// A drive or a share of Windows, in lower case.
    case windows(String)
  }

  enum Component: Hashable {
    case parent
    /// A name as it is written and, if it contains `%XX`, decoded.
    case name([[UInt8]])
  }

  let root: Root
  let components: [Component]

  /// The maximum number of components. A path of Linux with more is too long.
  private static let maximumComponents = 2048

  init(_ bytes: [UInt8]) {
    if let (drive, rest) = Self.windowsRoot(of: bytes) {
      root = .windows(drive)
      var components: [Component] = []
      for part in rest.split(whereSeparator: Self.isWindowsSeparator).prefix(Self.maximumComponents) {
        guard let component = Component(part) else { continue }
        // The path must not lead out of the folder in which it is looked up.
        if component == .parent { _ = components.popLast() } else { components.append(component) }
      }
      self.components = components
    } else {
      root = bytes.first == UInt8(ascii: "/") ? .fileSystem : .playlist
      components = bytes.split(separator: UInt8(ascii: "/")).prefix(Self.maximumComponents).compactMap(Component.init)
    }
  }

  /// The path with every component decoded; nil if none contains `%XX`.
  var decoded: FilePath? {
    guard components.contains(where: { if case .name(let spellings) = $0 { spellings.count > 1 } else { false } })
    else { return nil }
    let parts = components.map { component -> [UInt8] in
      switch component {
      case .parent: Array("..".utf8)
      case .name(let spellings): spellings.last ?? []
      }
    }
    let joined = Array(parts.joined(separator: [UInt8(ascii: "/")]))
    return FilePath(bytes: root == .fileSystem ? [UInt8(ascii: "/")] + joined : joined)
  }

  /// Returns the drive or the share of a path of Windows, and the rest of the path: `C:\…`, `\\server\…`, `\…` or
  /// `/C:/…`, as in a URI. Returns nil for any other path.
  private static func windowsRoot(of bytes: [UInt8]) -> (String, ArraySlice<UInt8>)? {
    let backslash = UInt8(ascii: "\\")
    if bytes.first == backslash {
      guard bytes.count > 1, bytes[1] == backslash else { return ("\\", bytes.dropFirst()) }
      let server = bytes.dropFirst(2).prefix { !isWindowsSeparator($0) }
      return (String(decoding: server, as: UTF8.self).lowercased(), bytes[server.endIndex...])
    }
    let path = bytes.first == UInt8(ascii: "/") ? bytes.dropFirst() : bytes[...]
    guard path.count > 2, let letter = path.first, (0x61...0x7A).contains(letter | 0x20),
      path.dropFirst().first == UInt8(ascii: ":"), let separator = path.dropFirst(2).first,
      isWindowsSeparator(separator)
    else { return nil }
    return (String(decoding: [letter | 0x20], as: UTF8.self), path.dropFirst(3))
  }

  private static func isWindowsSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
  }
}

extension PlaylistPath.Component {
  /// Returns nil for ".".
  fileprivate init?(_ part: ArraySlice<UInt8>) {
    if part.elementsEqual(".".utf8) { return nil }
    if part.elementsEqual("..".utf8) {
      self = .parent
      return
    }
    let written = Array(part)
    let decoded = FileURI.percentDecoded(written)
    // A decoded component must not lead elsewhere.
    let isName =
      decoded != written && !decoded.contains(0) && !decoded.contains(UInt8(ascii: "/"))
      && !decoded.elementsEqual(".".utf8) && !decoded.elementsEqual("..".utf8)
    self = .name(isName ? [written, decoded] : [written])
  }

  /// The name in the form in which folders are compared.
  fileprivate var folded: String? {
    if case .name(let spellings) = self { spellings.last.map { NameKey($0).text.lowercased() } } else { nil }
  }
}

/// The folders of another machine that contain the entries of a playlist. One of them, or a folder above them,
/// corresponds to the folder of the playlist on this machine.
struct ForeignFolders {
  /// The folders that all entries of a drive, a share, or another foreign root have in common.
  private var common: [PlaylistPath.Root: [String]] = [:]
  /// Whether this machine has a folder of this name in its root.
  private var isLocal: [PlaylistPath.Component: Bool] = [:]

  init(_ items: [PlaylistItem]) {
    for item in items {
      guard let path = Self.path(of: item) else { continue }
      if path.root == .fileSystem {
        guard let top = path.components.first, !isLocal(top) else { continue }
      }
      let folders = path.components.dropLast().compactMap(\.folded)
      if let before = common[path.root] {
        common[path.root] = zip(before, folders).prefix { $0 == $1 }.map(\.0)
      } else {
        common[path.root] = folders
      }
    }
  }

  /// Returns the parts of `path` that may be the path below `folder`, which is that of the playlist: the longest comes
  /// first. There are none for a path of this machine.
  func candidates(_ path: PlaylistPath, in folder: FilePath) -> [ArraySlice<PlaylistPath.Component>] {
    guard isForeign(path) else { return [] }
    let count = common[path.root]?.count ?? 0
    let name = NameKey(folder.lastComponent).text.lowercased()
    return path.components.indices.filter { index in
      index <= count || path.components[index - 1].folded == name
    }.map { path.components[$0...] }
  }

  /// Whether a path is one of Windows, or leads into a folder that the root of this machine does not have, such as
  /// `/storage` of Android and `/Users` of macOS. A path with ".." may lead anywhere.
  private func isForeign(_ path: PlaylistPath) -> Bool {
    switch path.root {
    case .playlist: false
    case .windows: true
    case .fileSystem:
      path.components.first.flatMap { isLocal[$0] } == false && !path.components.contains(.parent)
    }
  }

  private mutating func isLocal(_ top: PlaylistPath.Component) -> Bool {
    if let known = isLocal[top] { return known }
    guard case .name(let spellings) = top else { return true }
    let found = spellings.contains { FilePath("/").appending($0).exists }
    isLocal[top] = found
    return found
  }

  /// Returns the absolute path of an entry; nil if it has none.
  private static func path(of item: PlaylistItem) -> PlaylistPath? {
    let location = (item.decodedLocation ?? item.location).trimmed
    var bytes = Array(location)
    if location.after("file:") != nil {
      guard let path = FileURI.decode(String(decoding: location, as: UTF8.self)) else { return nil }
      bytes = path.bytes
    }
    let path = PlaylistPath(bytes)
    return path.root == .playlist ? nil : path
  }
}
