internal import SegueSystem

/// The names in a folder, found by their stems regardless of case and normalization form.
struct FolderNames {
  private struct Entry {
    let hash: Int
    let start: UInt32
    let count: UInt32
  }

  /// All names, one after another. A name takes 16 bytes beside its own.
  private var bytes: [UInt8] = []
  /// The entries, sorted by hash.
  private var entries: [Entry] = []

  /// The maximum number of names that a search returns: more spellings of one name do not occur.
  private static let maximumMatches = 16

  /// Lists `folder`. Returns nil if it cannot be listed.
  init?(_ folder: FilePath) {
    guard let names = try? Folder.names(in: folder) else { return nil }
    entries.reserveCapacity(names.count)
    for name in names {
      entries.append(
        Entry(hash: NameKey(name).folded.hashValue, start: UInt32(bytes.count), count: UInt32(name.count)))
      bytes += name
    }
    entries.sort { $0.hash < $1.hash }
  }

  var count: Int { entries.count }

  /// Returns the names that have the same folded stem as `key`, in the order of their bytes.
  func names(like key: NameKey) -> [[UInt8]] {
    let hash = key.folded.hashValue
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    var found: [[UInt8]] = []
    for entry in entries[low...] {
      guard entry.hash == hash, found.count < Self.maximumMatches else { break }
      let name = Array(bytes[Int(entry.start)..<Int(entry.start) + Int(entry.count)])
      if NameKey(name).folded == key.folded { found.append(name) }
    }
    return found.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// A file name in the forms in which names are compared. Swift compares strings by canonical equivalence, so that the
/// composed and the decomposed form of a letter are equal.
struct NameKey {
  let bytes: [UInt8]
  let text: String
  /// The name without the extension of an audio file.
  let stem: String
  /// The stem in lower case.
  let folded: String
  /// Whether the name has the extension of an audio file or of the image of a disc.
  let hasExtension: Bool

  /// The extensions of the images of discs that music programs compress.
  private static let imageExtensions: Set<String> = ["bin", "img", "iso", "cdda", "cdr", "raw", "pcm"]

  init(_ name: some Sequence<UInt8>) {
    bytes = Array(name)
    // A name in another charset is compared by its bytes.
    text =
      String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
    let suffix = FilePath(bytes: bytes).fileExtension
    hasExtension = MediaKind.audioExtensions.contains(suffix) || Self.imageExtensions.contains(suffix)
    stem = hasExtension ? String(text.unicodeScalars.dropLast(suffix.unicodeScalars.count + 1)) : text
    folded = stem.lowercased()
  }

  /// How well another name matches this one, best first.
  enum Match: Int {
    case same, canonical, caseInsensitive, stem, caseInsensitiveStem
  }

  /// Returns how well `other` matches; nil if only the folded stems can be equal, and `other` is no audio file.
  func match(of other: NameKey) -> Match? {
    if other.bytes == bytes { return .same }
    if other.text == text { return .canonical }
    if other.text.lowercased() == text.lowercased() { return .caseInsensitive }
    guard case .audio = MediaKind(FilePath(bytes: other.bytes)) else { return nil }
    return other.stem == stem ? .stem : other.folded == folded ? .caseInsensitiveStem : nil
  }
}

/// A cache of the names in folders. Every folder is listed once, and only up to a total number of names: after that,
/// the folders that were not listed yet have none.
public final class FolderNameCache {
  private var folders: [FilePath: FolderNames?] = [:]
  /// The number of names that can still be listed.
  private var allowance = 500_000

  /// The number of names to which a folder counts beside those that it has.
  private static let costOfFolder = 4

  public init() {}

  /// Returns the names in `folder`; nil if it cannot be listed.
  func names(in folder: FilePath) -> FolderNames? {
    if let names = folders[folder] { return names }
    guard allowance > 0 else { return nil }
    let names = FolderNames(folder)
    allowance -= (names?.count ?? 0) + Self.costOfFolder
    folders[folder] = .some(names)
    return names
  }
}
