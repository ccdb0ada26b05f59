internal import Glibc
public import SegueSystem
public import SegueWire

/// The configuration in `segue.conf`. Every setting has a default. Two configurations are equal if all settings are,
/// whether the file has them or not.
public struct Configuration: Equatable, Sendable {
  /// The state of playback after a restart of the daemon.
  public enum Restore: String, Sendable, CaseIterable {
    case paused, resume, stopped
  }

  /// `[Library] MusicFolder=`, which may occur several times, without "." and ".."; empty for `MusicFolder.path`.
  public var musicFolders: [FilePath] = []
  /// `[Output] Device=`; nil for the default of the sound server.
  public var device: String?
  /// `[Output] Rate=`; nil for `source`, the rate of each track.
  public var rate: SampleRate?
  /// `[Player] Restore=`.
  public var restore: Restore = .paused
  /// `[Player] GracePeriod=`, in whole seconds: the time for which the stream and the worker are kept after a pause or
  /// stop.
  public var gracePeriod = MediaTime.seconds(10)
  /// `[Player] Crossfade=`, in whole seconds: the duration of the crossfade between tracks. Zero: none.
  public var crossfade = MediaTime.zero
  /// `[Player] Fade=`, in whole milliseconds: the duration of the fade-out on a pause or stop. Zero: none.
  public var fade = MediaTime.zero
  /// `[Player] ReplayGain=`.
  public var gain: GainMode = .off
  /// `[Player] Preamp=`, in dB: a gain that is added to the gain of tracks that have one.
  public var preamp = 0.0
  /// `[Player] FallbackGain=`, in dB: the gain of tracks that have none.
  public var fallbackGain = 0.0
  /// `[Player] PreventClipping=`.
  public var preventsClipping = true
  /// `[Player] BookmarkAfter=`, in whole minutes: tracks of at least this duration are resumed at their last position.
  /// Zero: none are.
  public var bookmarkAfter = MediaTime.seconds(1200)
  /// `[Desktop] Notifications=`.
  public var notifies = false

  /// The names of the settings that have a value in the file.
  public internal(set) var named: Set<String> = []

  public init() {}

  public static func == (one: Configuration, other: Configuration) -> Bool {
    Setting.all.allSatisfy { $0.read(one) == $0.read(other) }
  }

  /// The music folders in the file, or the user's music folder if there are none. Reads one small file.
  public var effectiveMusicFolders: [FilePath] { musicFolders.isEmpty ? [MusicFolder.path] : musicFolders }

  /// A warning about something in the file that was ignored.
  public struct Warning: Equatable, Sendable, CustomStringConvertible {
    public let path: FilePath
    /// The number of the line, from 1; 0 for the whole file.
    public let line: Int
    public let message: String

    public var description: String { line > 0 ? "\(path):\(line): \(message)" : "\(path): \(message)" }
  }

  /// The default path, `$XDG_CONFIG_HOME/segue/segue.conf`.
  public static var defaultPath: FilePath { Directories.config.appending("segue/segue.conf") }

  /// Reads the configuration at `path`. A missing file counts as an empty one. Invalid lines are ignored and cause
  /// warnings. Blocks on the disk; it is called at startup and when the configuration is reloaded.
  public static func read(_ path: FilePath) -> (Configuration, [Warning]) {
    do {
      return parse(try SmallFile.read(path, upTo: 1024 * 1024), path)
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      return (Configuration(), [])
    } catch {
      return (Configuration(), [Warning(path: path, line: 0, message: "could not be read: \(error.reason)")])
    }
  }
}
