import SegueSystem
import SegueWire

/// Interfaces with music.
extension Interface {
  /// Returns an interface that shows the library.
  static func library(_ albums: Int, rows: Int = 24, columns: Int = 80, playing: Int? = nil) -> Interface {
    var interface = Interface(rows: rows, columns: columns, playing: playing)
    interface.library = FakeLibrary(albumCount: albums)
    interface.type("3")
    return interface
  }

  /// Returns an interface with something on each screen, and presses a key.
  static func items(_ key: String, rows: Int = 24, columns: Int = 80, cover: Art? = nil) -> Interface {
    var interface = Interface(rows: rows, columns: columns, playing: 0, cover: cover)
    interface.library = FakeLibrary(albumCount: 4)
    let modified = UnixTime(nanoseconds: 1_700_000_000_000_000_000)
    interface.library.playlists = ["Вечер", "Morning"].map {
      PlaylistInfo(name: $0, uri: "segue:playlist/\($0)", trackCount: 3, duration: .seconds(600), modified: modified)
    }
    interface.library.playCount = 3
    interface.library.outputs = [("Speakers", true), ("Headphones", false)].map { name, isCurrent in
      OutputDevice(
        name: "sink.\(name)", description: name, isDefault: isCurrent, isCurrent: isCurrent, sampleRate: 48_000,
        channels: 2, format: "s16le")
    }
    interface.type(key)
    return interface
  }
}
