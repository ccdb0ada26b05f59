import SegueSystem
import SegueWire

@testable import SegueState

/// Reads the input as `segue.conf`, and as `user-dirs.dirs`.
func fuzzSettings(_ input: UnsafeRawBufferPointer) {
  let input = Array(input)
  let (configuration, warnings) = Configuration.parse(input, path)
  let lines = input.count { $0 == 0x0A || $0 == 0x0D } + 1
  for warning in warnings {
    precondition((1...lines).contains(warning.line) && !warning.message.isEmpty, "an invalid warning")
  }
  for folder in configuration.musicFolders { check(folder) }
  precondition((.zero...MediaTime.seconds(86_400)).contains(configuration.gracePeriod), "an invalid grace period")
  precondition(configuration.bookmarkAfter >= .zero, "an invalid duration")
  for gain in [configuration.preamp, configuration.fallbackGain] {
    precondition(Gain.range.contains(gain), "an invalid gain")
  }
  let (again, newWarnings) = Configuration.parse(text(of: configuration), path)
  precondition(newWarnings.isEmpty, "warnings about accepted values: \(newWarnings)")
  precondition(again == configuration, "a configuration that changes in a round trip")
  check(MusicFolder.read(input, home: FilePath("/home/u")))
}

private let path = FilePath("/etc/segue.conf")

private func check(_ folder: FilePath?) {
  guard let folder else { return }
  precondition(folder.isAbsolute && !folder.bytes.contains(0), "an invalid folder")
}

/// Returns the configuration as a file.
private func text(of configuration: Configuration) -> [UInt8] {
  Setting.all.flatMap { setting -> [UInt8] in
    let line = "[\(setting.section.rawValue)]\n\(setting.key)="
    if case .paths(let paths) = setting.read(configuration) {
      return paths.flatMap { Array(line.utf8) + $0.bytes + [0x0A] }
    }
    return Array("\(line)\(setting.read(configuration).text)\n".utf8)
  }
}
