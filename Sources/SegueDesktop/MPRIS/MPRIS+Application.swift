internal import SegueLoop

/// `org.mpris.MediaPlayer2`: the program.
extension MPRIS {
  var application: BusInterface {
    BusInterface(
      name: Self.name,
      methods: [
        // There is nothing to raise.
        .init(name: "Raise") { _, call in call.reply() },
        .init(name: "Quit") { [unowned self] _, call in
          call.reply()
          // Not amid the bus' own work, which ends with it.
          mailbox.post { [weak self] in self?.quit() }
        },
      ],
      properties: [
        .init(name: "CanQuit", type: "b", announcement: .constant),
        .init(name: "CanRaise", type: "b", announcement: .constant),
        .init(name: "HasTrackList", type: "b", announcement: .constant),
        .init(name: "Identity", type: "s", announcement: .constant),
        .init(name: "DesktopEntry", type: "s", announcement: .constant),
        .init(name: "SupportedUriSchemes", type: "as", announcement: .constant),
        .init(name: "SupportedMimeTypes", type: "as", announcement: .constant),
      ],
      values: {
        [
          "CanQuit": .boolean(true), "CanRaise": .boolean(false), "HasTrackList": .boolean(true),
          "Identity": .string("Segue"),
          // The base name of the desktop file.
          "DesktopEntry": .string("segue"),
          "SupportedUriSchemes": .strings(["file", "http", "https"]), "SupportedMimeTypes": .strings(Self.types),
        ]
      })
  }

  /// What a desktop is likely to hand over, of all that is played (RFC 9639, RFC 5334, RFC 7845, RFC 4337;
  /// shared-mime-info's names for what is not registered).
  private static let types = [
    "audio/flac", "audio/mpeg", "audio/ogg", "audio/x-vorbis+ogg", "audio/x-opus+ogg", "audio/mp4", "audio/aac",
    "audio/x-wav", "audio/vnd.wave", "audio/x-aiff", "audio/x-wavpack", "audio/x-ape", "audio/x-musepack",
    "audio/x-tta",
    "audio/x-matroska", "audio/webm", "audio/x-ms-wma", "audio/ac3", "audio/basic", "audio/x-mod",
    "audio/x-mpegurl", "application/vnd.apple.mpegurl", "audio/x-scpls", "application/xspf+xml", "application/x-cue",
    "inode/directory",
  ]
}
