internal import Glibc
internal import SegueSystem

/// The file `ui.conf`, to which the interface writes the settings that the user changes.
struct ConfigurationFile {
  let path: FilePath

  /// Writes a change to the file, which is created if it does not exist. All other lines stay as they are. Blocks on
  /// the disk.
  func save(_ change: ConfigurationChange) throws(SystemError) {
    // The file may be a link into a folder of configurations.
    let target = path.linkTarget
    var bytes: [UInt8] = []
    do {
      bytes = try SmallFile.read(target, upTo: InterfaceConfiguration.maximumLength)
    } catch  where error.code == ENOENT {
      try Folder.create(target.parent)
    }
    let (section, key, value) = change.entry
    try SmallFile.replace(target, with: INIFile.setting(key, in: section, to: value, of: bytes))
  }
}
