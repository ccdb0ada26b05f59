internal import CSegue
internal import Glibc
internal import SegueSystem

/// What libpulse reads before it connects: the user's own client configuration (pulse-client.conf(5)), and one word of
/// ours.
extension PulseSink {
  /// Keeps server and client of this process from sharing memory. Once, before the first thread: it sets a variable of
  /// the environment.
  ///
  /// Libpulse (16.1) never comes back from a server that dies while the two agree on a ring of shared memory for their
  /// messages: `pa_pstream_unlink` drops the ring in use until none is to come, and the one to come stays. Where no
  /// memory is shared there is no such ring. Copying the sound through the socket instead costs both sides some 0.02 %
  /// of a core at 44.1 kHz.
  public static func keepMemoryPrivate() {
    // First for what breaks off at a mistake of the user's, last for what says otherwise.
    let word = Array("enable-shm = no\n".utf8)
    let text = word + userFiles.flatMap { Array(".include ".utf8) + $0.bytes + Array("\n".utf8) } + word
    let file = segue_memfd("segue-pulse-client.conf", text.count)
    // Without it libpulse does as the user says, which is well as long as no server dies at that moment.
    guard file >= 0, pwrite(file, text, text.count, 0) == text.count else { return }
    setenv("PULSE_CLIENTCONFIG", "/proc/self/fd/\(file)", 1)
  }

  /// The files libpulse would read, in its order: the first that is there of those a user may have, and what lies in the
  /// folder beside it. What cannot be read is left out, for one of those would end the reading.
  private static var userFiles: [FilePath] {
    guard let main = places.first(where: { $0.withCString { access($0, F_OK) } == 0 }) else { return [] }
    return ([main] + files(in: FilePath(bytes: main.bytes + Array(".d".utf8)))).filter { path in
      path.isAbsolute && !path.bytes.contains(UInt8(ascii: "\n")) && path.withCString { access($0, R_OK) } == 0
    }
  }

  private static var places: [FilePath] {
    if let named = Directories.environment("PULSE_CLIENTCONFIG") { return [named] }
    let own =
      if let folder = Directories.environment("PULSE_CONFIG_PATH") {
        [folder.appending("client.conf")]
      } else {
        [".pulse", ".config/pulse"].map { Directories.home.appending($0).appending("client.conf") }
      }
    return own + [FilePath("/etc/pulse/client.conf")]
  }

  private static func files(in folder: FilePath) -> [FilePath] {
    guard let stream = folder.withCString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names.filter { $0.suffix(5).elementsEqual(".conf".utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }
      .map { folder.appending($0) }
  }
}
