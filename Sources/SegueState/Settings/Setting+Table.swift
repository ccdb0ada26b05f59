internal import SegueCatalogProviders
internal import SegueSystem
public import SegueWire

extension Setting {
  /// All settings, in the order in which users see them: the addresses of online catalogues are the last ones.
  public static let all = table + CatalogProviders().baseURLs.map(Setting.init)

  /// The settings that no provider of a catalogue declares. To add one, add a row here and a property to
  /// `Configuration`. `Player.apply` applies changes; a setting of the decoded audio also belongs to
  /// `Configuration.decodesLike`.
  private static let table = [
    musicFolder, device,
    Setting(
      .output, "Rate", label: LocalizableMessage("Sample rate"),
      LocalizableMessage("the sample rate of the output in Hz; source: the rate of each track"),
      .choice(["source"] + rates),
      read: { .text($0.rate.map { String($0.hertz) } ?? "source") },
      write: {
        if case .text(let text) = $1 { $0.rate = text.flatMap { UInt32($0) }.map { SampleRate($0) } }
      }),
    Setting(
      .player, "Restore", label: LocalizableMessage("After a restart"),
      LocalizableMessage("the state of playback after a restart of the daemon"), word: \.restore),
    Setting(
      .player, "GracePeriod", label: LocalizableMessage("Keep output after pause"),
      LocalizableMessage("how long the stream and the decoder are kept after a pause"),
      time: \.gracePeriod,
      in: 0...86_400, ("seconds", 1_000_000_000)),
    Setting(
      .player, "BookmarkAfter", label: LocalizableMessage("Resume long tracks"),
      LocalizableMessage("resume tracks of at least this duration where they were left; 0: none"),
      time: \.bookmarkAfter, in: 0...100_000, ("minutes", 60_000_000_000)),
    Setting(
      .player, "Crossfade", label: LocalizableMessage("Crossfade"),
      LocalizableMessage("the duration of the crossfade between tracks; 0: none"),
      time: \.crossfade, in: 0...15,
      ("seconds", 1_000_000_000)),
    Setting(
      .player, "Fade", label: LocalizableMessage("Fade on pause"),
      LocalizableMessage("the duration of the fade-out on pause and stop; 0: none"), time: \.fade,
      in: 0...1_000,
      ("milliseconds", 1_000_000)),
    replayGain, preamp,
    Setting(
      .player, "FallbackGain", label: LocalizableMessage("Gain without ReplayGain"),
      LocalizableMessage("the gain of tracks without ReplayGain data"), number: \.fallbackGain,
      in: Gain.range,
      unit: "dB"),
    Setting(
      .player, "PreventClipping", label: LocalizableMessage("Prevent clipping"),
      LocalizableMessage("limit the gain of a track so that its peak does not clip"),
      flag: \.preventsClipping),
    Setting(
      .desktop, "Notifications", label: LocalizableMessage("Notifications"),
      LocalizableMessage("show a desktop notification when a track begins"), flag: \.notifies
    ),
    certificateAuthority,
    Setting(
      .catalog, "Country", label: LocalizableMessage("Country of catalogues"),
      LocalizableMessage("the country of online catalogues, two letters; none: that of the locale"),
      name: \.catalogCountry
    ) { (text) throws(InvalidValue) in
      try check(CatalogQuery(.people, country: text))
    },
    Setting(
      .catalog, "Language", label: LocalizableMessage("Language of catalogues"),
      LocalizableMessage("the language of online catalogues, such as de or de-DE; none: that of the locale"),
      name: \.catalogLanguage
    ) { (text) throws(InvalidValue) in
      try check(CatalogQuery(.people, language: text))
    },
    Setting(
      .catalog, "Genre", label: LocalizableMessage("Genre of the charts"),
      LocalizableMessage("the genre of popular films; all: all genres"), name: \.catalogGenre),
  ]

  /// Throws the reason why the country or the language of a query is malformed.
  private static func check(_ query: CatalogQuery) throws(InvalidValue) {
    do throws(Failure) { _ = try CatalogLocale(of: query) } catch {
      throw InvalidValue(reason: error.localizableMessage)
    }
  }

  /// The sample rates of sound cards.
  private static let rates = [
    "32000", "44100", "48000", "88200", "96000", "176400", "192000", "352800", "\(SampleRate.maximumOutput.hertz)",
  ]

  public static let musicFolder = Setting(
    .library, "MusicFolder", label: LocalizableMessage("Music folders"),
    LocalizableMessage("the folders that are scanned; none: the desktop's music folder"),
    .paths,
    isChangeable: false, read: { .paths($0.musicFolders) },
    write: {
      if case .paths(let folders) = $1 { $0.musicFolders = folders }
    })
  public static let certificateAuthority = Setting(
    .network, "CertificateAuthority", label: LocalizableMessage("Certificate authorities"),
    LocalizableMessage("files with certificate authorities that are trusted besides those of the system"),
    .paths, isChangeable: false, read: { .paths($0.certificateAuthorities) },
    write: {
      if case .paths(let files) = $1 { $0.certificateAuthorities = files }
    })
  public static let device = Setting(
    .output, "Device", label: LocalizableMessage("Output device"),
    LocalizableMessage("the output device; none: the default of the sound server"), name: \.device)
  public static let replayGain = Setting(
    .player, "ReplayGain", label: LocalizableMessage("ReplayGain"),
    LocalizableMessage("the ReplayGain mode, which makes tracks equally loud"), word: \.gain)
  public static let preamp = Setting(
    .player, "Preamp", label: LocalizableMessage("Preamplification"),
    LocalizableMessage("a gain added to that of tracks with ReplayGain data"), number: \.preamp,
    in: Gain.range,
    unit: "dB")

  /// Returns the setting with this name, such as `player.replayGain` or `ReplayGain`, case-insensitively. Throws
  /// `not_found`, with the name that was probably meant if there is one.
  public static func named(_ name: String) throws(Failure) -> Setting {
    let wanted = name.lowercased()
    if let found = all.first(where: { $0.name.lowercased() == wanted || $0.key.lowercased() == wanted }) {
      return found
    }
    let names = all.map { name.contains(".") ? $0.name : $0.key }
    let meant = EditDistance.nearest(to: name, in: names).flatMap(names.firstIndex(of:)).map { all[$0].name }
    if let meant { throw Failure(.notFound, "there is no setting “\(name)”; did you mean \(meant)?") }
    throw Failure(.notFound, "there is no setting “\(name)”")
  }

  /// Returns the setting with this name. Throws `denied` if it cannot be changed while the daemon runs.
  public static func changeable(_ name: String) throws(Failure) -> Setting {
    let setting = try named(name)
    guard setting.isChangeable else {
      throw Failure(
        .denied,
        "\(setting.name) cannot be changed at run time: edit \(setting.key)= in section [\(setting.section.rawValue)] "
          + "of segue.conf and send SIGHUP to segued")
    }
    return setting
  }
}
