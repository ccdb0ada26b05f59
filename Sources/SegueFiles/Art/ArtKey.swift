internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A key of the cache: a hash of everything that a picture is made from, which is the stamp of a file and the request.
struct ArtKey: Sendable {
  /// The hash as sixteen hexadecimal digits.
  let name: String

  init(_ stamp: FileStamp, _ request: CoverRequest) {
    let source = [
      stamp.device, stamp.inode, UInt64(bitPattern: stamp.size), UInt64(bitPattern: stamp.modified),
      UInt64(request.edge ?? 0), request.format.number, request.place == .embedded ? 1 : 0,
    ]
    var hash = Hash()
    for word in source { hash.add(word) }
    name = hash.name
  }

  /// Creates the key of a picture that is downloaded from a URL in a period of 30 days, so that it is downloaded again
  /// in the next period.
  /// - Parameter period: The number of periods since 1970.
  init(_ url: String, _ request: CoverRequest, period: Int64) {
    var hash = Hash()
    hash.add(UInt64(bitPattern: period))
    hash.add(url)
    hash.add(UInt64(request.edge ?? 0))
    hash.add(request.format.number)
    name = hash.name
  }

  /// The period that a time lies in.
  static func period(at time: UnixTime) -> Int64 { time.nanoseconds / (30 * 86_400 * 1_000_000_000) }

  init(_ album: AlbumIdentity) {
    var hash = Hash()
    hash.add(UInt64(bitPattern: album.id))
    hash.add(album.title)
    hash.add(0)
    hash.add(album.albumArtist ?? "")
    hash.add(0)
    hash.add("\(album.year ?? 0)")
    name = hash.name
  }

  /// The hash function FNV-1a, over 64-bit words. It is fast, because a page of many albums needs a key for each of
  /// them.
  private struct Hash {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01B3
    /// The factor that seven zero bytes contribute.
    private static let sevenZeros = (0..<7).reduce(1 as UInt64) { product, _ in product &* prime }

    mutating func add(_ word: UInt64) {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        value = (value ^ (word >> shift & 0xFF)) &* Self.prime
      }
    }

    /// Adds a word for each byte.
    mutating func add(_ text: String) {
      for byte in text.utf8 { value = (value ^ UInt64(byte)) &* Self.prime &* Self.sevenZeros }
    }

    var name: String {
      String(unsafeUninitializedCapacity: 16) { digits in
        for place in 0..<16 {
          let digit = UInt8(value >> UInt64(60 - 4 * place) & 0xF)
          digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
        return 16
      }
    }
  }

  /// The name of the folder that has the picture. There are 256 of them, so that none becomes large.
  var folderName: String { String(name.suffix(2)) }
}

extension Art.Format? {
  /// A number that stands for the format in a key.
  fileprivate var number: UInt64 {
    switch self {
    case nil: 0
    case .png: 1
    case .ppm: 2
    }
  }
}
