import SegueSystem
import SegueWire

@testable import SegueLibrary

/// `segue.conf`, and the desktop's `user-dirs.dirs`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSettings(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  let (configuration, warnings) = Configuration.parse(input, path)
  let lines = input.count { $0 == 0x0A || $0 == 0x0D } + 1
  for warning in warnings {
    precondition((1...lines).contains(warning.line) && !warning.message.isEmpty, "a warning of nothing")
  }
  for folder in configuration.musicFolders { check(folder) }
  precondition((.zero...MediaTime.seconds(86_400)).contains(configuration.gracePeriod), "no grace period")
  precondition(configuration.bookmarkAfter >= .zero, "no length")
  for gain in [configuration.preamp, configuration.fallbackGain] {
    precondition(Gain.range.contains(gain), "no gain")
  }
  let (again, none) = Configuration.parse(text(of: configuration), path)
  precondition(none.isEmpty, "what was taken is warned of: \(none)")
  precondition(again == configuration, "what was taken is taken otherwise")
  check(MusicFolder.read(input, home: FilePath("/home/u")))
  return 0
}

private let path = FilePath("/etc/segue.conf")

private func check(_ folder: FilePath?) {
  guard let folder else { return }
  precondition(folder.isAbsolute && !folder.bytes.contains(0), "no folder")
}

/// A file that says the same.
private func text(of configuration: Configuration) -> [UInt8] {
  Setting.all.flatMap { setting -> [UInt8] in
    let line = "[\(setting.section.rawValue)]\n\(setting.key)="
    if case .paths(let paths) = setting.read(configuration) {
      return paths.flatMap { Array(line.utf8) + $0.bytes + [0x0A] }
    }
    return Array("\(line)\(setting.read(configuration).text)\n".utf8)
  }
}
