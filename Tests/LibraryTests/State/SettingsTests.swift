import SegueState
import SegueSystem
import SegueWire
import Testing

@Suite struct SettingsTests {
  private let scratch = Scratch()
  private let home = FilePath("/home/u")

  @Test(arguments: [
    ("XDG_MUSIC_DIR=\"$HOME/Musik\"", "/home/u/Musik"), ("XDG_MUSIC_DIR=\"/srv/a \\\"b\\\" \\$c\"", "/srv/a \"b\" $c"),
    ("# XDG_MUSIC_DIR=\"/no\"\n  XDG_MUSIC_DIR=/plain # yes", "/plain"),
    ("XDG_MUSIC_DIR=\"/a\"\nXDG_VIDEOS_DIR=\"/v\"\nXDG_MUSIC_DIR=\"$HOME/b/\"", "/home/u/b"),
    ("XDG_MUSIC_DIR=\"$HOME/\"", "/home/u/Music"), ("XDG_MUSIC_DIR=\"relative\"", "/home/u/Music"),
    ("XDG_MUSIC_DIR=\"$HOMEx\"", "/home/u/Music"), ("", "/home/u/Music"), ("XDG_MUSIC_DIR=", "/home/u/Music"),
  ]) func theMusicFolderIsReadFromUserDirs(text: String, expected: String) {
    scratch.write("user-dirs.dirs", text)
    #expect(MusicFolder.find(named: nil, config: scratch.path, home: home) == FilePath(expected))
    #expect(MusicFolder.find(named: FilePath("/env"), config: scratch.path, home: home) == FilePath("/env"))
    #expect(MusicFolder.find(named: FilePath("env"), config: scratch.path, home: home) == FilePath(expected))
  }

  @Test func aMissingConfigurationFileStandsForTheDefaults() {
    let (configuration, warnings) = Configuration.read(scratch["none.conf"])
    #expect(configuration == Configuration())
    #expect(warnings.isEmpty)
    #expect(configuration.restore == .paused)
    #expect(configuration.gracePeriod == MediaTime.seconds(10))
    #expect(Configuration.read(scratch.path).1.map(\.line) == [0], "there is a warning about a folder")
  }

  @Test func valuesCommentsAndEmptyValuesAreRead() {
    let file = scratch.write(
      "segue.conf",
      "# mine\n[Library]\n MusicFolder = /srv/my music \n\n; more\n[Output]\nDevice=sink.1=2\n[Player]\nRestore=resume\nGracePeriod=0\n"
    )
    let (configuration, warnings) = Configuration.read(file)
    #expect(warnings.isEmpty)
    #expect(configuration.musicFolders == [FilePath("/srv/my music")])
    #expect(configuration.device == "sink.1=2")
    #expect(configuration.restore == .resume)
    #expect(configuration.gracePeriod == .zero)
    let emptied = scratch.write(
      "empty.conf", "[Player]\nRestore=stopped\nRestore=\nGracePeriod=\n[Library]\nMusicFolder=\n")
    #expect(Configuration.read(emptied).0 == Configuration())
    let tilde = scratch.write("tilde.conf", "[Library]\nMusicFolder=~/Klang\n")
    #expect(Configuration.read(tilde).0.musicFolders == [Directories.home.appending("Klang")])
  }

  @Test func everySettingHasItsOwnProperty() {
    let names = Setting.all.map(\.name)
    #expect(Set(names).count == names.count && Set(Setting.all.map(\.key)).count == names.count)
    for setting in Setting.all {
      let text: String
      switch setting.type {
      case .flag: text = setting.defaultValue == .flag(true) ? "no" : "yes"
      case .choice(let words): text = words.first { $0 != setting.defaultValue.text } ?? ""
      case .whole, .number: text = "7"
      case .name:
        switch setting.key {
        case "Country", "Language": text = "de"
        case _ where setting.key.hasSuffix("URL"): text = "https://somewhere.example/path"
        default: text = "somebody"
        }
      case .paths: text = "/somewhere"
      }
      let file = scratch.write("\(setting.key).conf", "[\(setting.section.rawValue)]\n\(setting.key)=\(text)\n")
      let (configuration, warnings) = Configuration.read(file)
      #expect(warnings.isEmpty && configuration != Configuration(), "\(setting.name)")
      let settings = Settings(file: configuration, saved: [:]).list.settings
      let changed = settings.filter { $0.value != $0.standard }
      #expect(changed.map(\.name) == [setting.name] && changed.first?.value.text == text)
      #expect(settings.filter { $0.source != .standard }.map(\.name) == [setting.name])
    }
  }

  @Test func everySettingHasAShortLabelOfItsOwn() {
    let labels = Setting.all.map(\.label.text)
    #expect(Set(labels).count == labels.count)
    for label in labels { #expect(1...28 ~= label.count && label.first?.isUppercase == true, "\(label)") }
    #expect(Settings(file: Configuration(), saved: [:]).list.settings.map(\.label) == labels)
  }

  /// The file is for programs as well, so that its numbers have a point.
  @Test func aDecimalCommaIsAcceptedInRequestsOnly() throws {
    let preamp = try #require(Setting.all.first { $0.name == "player.preamp" })
    #expect(try preamp.requestedValue(of: "-1,5") == .number(-1.5))
    #expect(throws: Failure.self) { try preamp.requestedValue(of: "1,5,2") }
    let (configuration, warnings) = Configuration.read(scratch.write("comma.conf", "[Player]\nPreamp=-1,5\n"))
    #expect(configuration == Configuration() && warnings.map(\.line) == [2])
  }

  @Test func severalCertificateAuthoritiesAreCollected() {
    let lines = (1...3).map { "CertificateAuthority=/ca/\($0).pem\n" }.joined()
    let (configuration, warnings) = Configuration.read(scratch.write("authorities.conf", "[Network]\n\(lines)"))
    #expect(configuration.certificateAuthorities == (1...3).map { FilePath("/ca/\($0).pem") })
    #expect(warnings == [])
    let relative = Configuration.read(scratch.write("relative.conf", "[Network]\nCertificateAuthority=ca.pem\n"))
    #expect(relative.1.first?.message.contains("is not an absolute path") == true)
  }

  @Test func severalMusicFoldersAreCollected() {
    let lines = ["/srv/music", "/media/usb/", "/srv/./music", "~/Klang"].map { "MusicFolder=\($0)\n" }.joined()
    let several = scratch.write("several.conf", "[Library]\n" + lines)
    #expect(
      Configuration.read(several).0.musicFolders
        == [FilePath("/srv/music"), FilePath("/media/usb"), Directories.home.appending("Klang")])
    let anew = scratch.write("anew.conf", "[Library]\n\(lines)MusicFolder=\nMusicFolder=/last\n")
    #expect(Configuration.read(anew).0.musicFolders == [FilePath("/last")], "an empty value removes those before it")
  }

  @Test(arguments: [
    ("[Players]", 1, "[Player]"), ("[Player]\nRestor=paused", 2, "Restore="),
    ("[Player]\nRestore=resumed", 2, "resume?"),
    ("[Player]\nGracePeriod=ten", 2, "seconds"), ("[Player]\nGracePeriod=-1", 2, "seconds"),
    ("[Output]\nRestore=paused", 2, "[Player]"), ("Device=x", 1, "before any section"),
    ("[Output]\nnoise", 2, "Key=value"), ("[Output]\nRate=44.1", 2, "44100"), ("[Output]\nRate=4800", 2, "48000?"),
    ("[Player]\nCrossfade=16", 2, "15"),
    ("[Output\n", 1, "]"), ("\n\n[Library]\nMusicFolder=Music", 4, "absolute"),
    ("[Library]\nmusicfolder=/a", 2, "MusicFolder="),
  ]) func invalidLinesCauseWarningsWithHints(text: String, line: Int, hint: String) {
    let file = scratch.write("segue.conf", text)
    let (configuration, warnings) = Configuration.read(file)
    #expect(configuration == Configuration())
    #expect(warnings.map(\.line) == [line])
    #expect(warnings.first?.message.contains(hint) == true)
    #expect(warnings.first?.description.hasPrefix("\(file):\(line): ") == true)
  }
}
