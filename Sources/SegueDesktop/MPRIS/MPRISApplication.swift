internal import SegueLoop
internal import SegueWire

/// The interface `org.mpris.MediaPlayer2`: the program.
@MainActor
enum MPRISApplication {
  static func interface(quit: @escaping @MainActor () -> Void) -> BusInterface {
    BusInterface(
      name: MPRIS.name,
      methods: [
        // The daemon has no window to raise.
        .init(name: "Raise") { _, call in call.reply() },
        .init(name: "Quit") { _, call in
          call.reply()
          quit()
        },
      ],
      properties: [
        .init(name: "CanQuit", type: "b", changeSignal: .constant),
        .init(name: "CanRaise", type: "b", changeSignal: .constant),
        .init(name: "HasTrackList", type: "b", changeSignal: .constant),
        .init(name: "Identity", type: "s", changeSignal: .constant),
        .init(name: "DesktopEntry", type: "s", changeSignal: .constant),
        .init(name: "SupportedUriSchemes", type: "as", changeSignal: .constant),
        .init(name: "SupportedMimeTypes", type: "as", changeSignal: .constant),
      ],
      values: {
        [
          "CanQuit": .boolean(true), "CanRaise": .boolean(false), "HasTrackList": .boolean(true),
          "Identity": .string("Segue"),
          // The base name of the desktop file.
          "DesktopEntry": .string("segue"),
          "SupportedUriSchemes": .strings(
            ["file", "http", "https"] + CatalogItemURI.Scheme.allCases.map(\.rawValue)),
          "SupportedMimeTypes": .strings(mediaTypes),
        ]
      })
  }

  /// The supported media types that a desktop is likely to open (RFC 9639, RFC 5334, RFC 7845, RFC 4337; the names in
  /// shared-mime-info for those that are not registered).
  private static let mediaTypes = [
    "audio/flac", "audio/mpeg", "audio/ogg", "audio/x-vorbis+ogg", "audio/x-opus+ogg", "audio/mp4", "audio/aac",
    "audio/x-wav", "audio/vnd.wave", "audio/x-aiff", "audio/x-wavpack", "audio/x-ape", "audio/x-musepack",
    "audio/x-tta",
    "audio/x-matroska", "audio/webm", "audio/x-ms-wma", "audio/ac3", "audio/basic", "audio/x-mod",
    "audio/x-mpegurl", "application/vnd.apple.mpegurl", "audio/x-scpls", "application/xspf+xml", "application/x-cue",
    "inode/directory",
  ]
}
