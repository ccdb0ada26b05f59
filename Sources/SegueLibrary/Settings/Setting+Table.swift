internal import SegueSystem
public import SegueWire

extension Setting {
  /// Every setting there is, as people are shown them. A new one is a row here and a property of `Configuration`; who
  /// acts on a change stands in Player+Settings.swift.
  public static let all = [
    musicFolder, device,
    Setting(
      .output, "Rate", "the sampling rate of all that is played, in Hz; source: each track's own",
      .choice(["source"] + rates),
      read: { .text($0.rate.map { String($0.hertz) } ?? "source") },
      write: {
        if case .text(let text) = $1 { $0.rate = text.flatMap { UInt32($0) }.map { SampleRate($0) } }
      }),
    Setting(.player, "Restore", "what a new start of the daemon does with what was playing", word: \.restore),
    Setting(
      .player, "GracePeriod", "how long stream and decoder outlive a pause", time: \.gracePeriod, in: 0...86_400,
      ("seconds", 1_000_000_000)),
    Setting(
      .player, "BookmarkAfter", "tracks as long as this go on where they were left; 0: none", time: \.bookmarkAfter,
      in: 0...100_000, ("minutes", 60_000_000_000)),
    Setting(
      .player, "Crossfade", "how long one track fades into the next; 0: not at all", time: \.crossfade, in: 0...15,
      ("seconds", 1_000_000_000)),
    Setting(
      .player, "Fade", "how long the sound takes to silence on pause and stop; 0: none", time: \.fade, in: 0...1_000,
      ("milliseconds", 1_000_000)),
    replayGain, preamp,
    Setting(
      .player, "FallbackGain", "for tracks that do not say how loud they are", number: \.fallbackGain, in: Gain.range,
      unit: "dB"),
    Setting(
      .player, "PreventClipping", "no gain lifts a track's peak above full scale", flag: \.preventsClipping),
    Setting(.desktop, "Notifications", "shows on the desktop which track begins", flag: \.notifies),
  ]

  /// What sound cards run at.
  private static let rates = [
    "32000", "44100", "48000", "88200", "96000", "176400", "192000", "352800", "\(SampleRate.maximumOutput.hertz)",
  ]

  public static let musicFolder = Setting(
    .library, "MusicFolder", "folders that are scanned; none: the desktop's music folder", .paths,
    isChangeable: false, read: { .paths($0.musicFolders) },
    write: {
      if case .paths(let folders) = $1 { $0.musicFolders = folders }
    })
  public static let device = Setting(
    .output, "Device", "where sound goes; none: the sound server's default", name: \.device)
  public static let replayGain = Setting(.player, "ReplayGain", "how tracks are made equally loud", word: \.gain)
  public static let preamp = Setting(
    .player, "Preamp", "on top of the gain of every track that has one", number: \.preamp, in: Gain.range, unit: "dB")

  /// The setting of this name: `player.replayGain`, or `ReplayGain` alone; capitals do not matter. Throws `not_found`,
  /// with what was probably meant.
  public static func named(_ name: String) throws(Failure) -> Setting {
    let wanted = name.lowercased()
    if let found = all.first(where: { $0.name.lowercased() == wanted || $0.key.lowercased() == wanted }) {
      return found
    }
    let names = all.map { name.contains(".") ? $0.name : $0.key }
    let meant = all[names.firstIndex(of: nearest(to: name, in: names)) ?? 0]
    throw Failure(.notFound, "there is no setting “\(name)”; did you mean \(meant.name)?")
  }

  /// The same, if it may be set while the daemon runs; else throws `denied`, with where it is set.
  public static func changeable(_ name: String) throws(Failure) -> Setting {
    let setting = try named(name)
    guard setting.isChangeable else {
      throw Failure(
        .denied,
        "\(setting.name) cannot be set here: it is \(setting.key)= in section [\(setting.section.rawValue)] of "
          + "segue.conf, which a SIGHUP has read again")
    }
    return setting
  }
}
