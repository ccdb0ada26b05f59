internal import Glibc
public import SegueSystem
public import SegueWire

/// What `segue.conf` says. Everything has a default that works. Two are equal where every setting is the same, whether
/// it was named or not.
public struct Configuration: Equatable, Sendable {
  /// What a restart does with what was playing.
  public enum Restore: String, Sendable, CaseIterable {
    case paused, resume, stopped
  }

  /// `[Library] MusicFolder=`, as often as it comes, without "." and ".."; empty for `MusicFolder.path`.
  public var musicFolders: [FilePath] = []
  /// `[Output] Device=`; nil for the server's default.
  public var device: String?
  /// `[Output] Rate=`; nil for `source`: each track's own.
  public var rate: SampleRate?
  /// `[Player] Restore=`.
  public var restore: Restore = .paused
  /// `[Player] GracePeriod=`, whole seconds: how long stream and worker outlive a pause or stop.
  public var gracePeriod = MediaTime.seconds(10)
  /// `[Player] Crossfade=`, whole seconds: how long a track sounds on under the beginning of the next. Zero: not at all.
  public var crossfade = MediaTime.zero
  /// `[Player] Fade=`, whole milliseconds: how long the sound takes to silence on a pause or stop. Zero: none.
  public var fade = MediaTime.zero
  /// `[Player] ReplayGain=`.
  public var gain: GainMode = .off
  /// `[Player] Preamp=` and `FallbackGain=`, in dB: on top of a gain that is known, and alone where none is.
  public var preamp = 0.0
  public var fallbackGain = 0.0
  /// `[Player] PreventClipping=`.
  public var preventsClipping = true
  /// `[Player] BookmarkAfter=`, whole minutes: tracks as long as that are gone on with where they were left. 0: none are.
  public var bookmarkAfter = MediaTime.seconds(1200)
  /// `[Desktop] Notifications=`.
  public var notifies = false

  /// The names of the settings that the file gave a value.
  public internal(set) var named: Set<String> = []

  public init() {}

  public static func == (one: Configuration, other: Configuration) -> Bool {
    Setting.all.allSatisfy { $0.read(one) == $0.read(other) }
  }

  /// Those that are named, or the one that the user's other programs use. Reads one small file.
  public var effectiveMusicFolders: [FilePath] { musicFolders.isEmpty ? [MusicFolder.path] : musicFolders }

  /// Something in the file that was passed over.
  public struct Warning: Equatable, Sendable, CustomStringConvertible {
    public let path: FilePath
    /// From 1; 0 for the file as a whole.
    public let line: Int
    public let message: String

    public var description: String { line > 0 ? "\(path):\(line): \(message)" : "\(path): \(message)" }
  }

  /// `$XDG_CONFIG_HOME/segue/segue.conf`.
  public static var standardPath: FilePath { Directories.config.appending("segue/segue.conf") }

  /// Reads `path`. A file that is not there is as good as an empty one; what is wrong in one is passed over and told.
  /// Blocks for one small file: at the start and on a reload.
  public static func read(_ path: FilePath) -> (Configuration, [Warning]) {
    do {
      return parse(try SmallFile.read(path, upTo: 1024 * 1024), path)
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      return (Configuration(), [])
    } catch {
      return (Configuration(), [Warning(path: path, line: 0, message: "not read: \(error.reason)")])
    }
  }
}
