public import SegueSystem

/// A PNG file that is sent to a terminal.
public struct TerminalPicture {
  public let path: FilePath
  private let bytes: [UInt8]

  /// The maximum size of a file. It exceeds the size of every cover that the daemon produces.
  private static let maximumBytes = 32 << 20

  /// Reads the file. Returns nil if it is unreadable, too large, no regular file or not a PNG.
  public init?(_ path: FilePath) {
    guard let bytes = try? SmallFile.read(path, upTo: Self.maximumBytes), bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
    else { return nil }
    self.path = path
    self.bytes = bytes
  }

  /// Returns the escape sequences of the kitty graphics protocol that draw the picture into `box` at the cursor.
  func kittySequence(_ box: PictureBox) -> [UInt8] {
    kittySequence("a=T,f=100,q=2,C=1,c=\(box.columns),r=\(box.rows),")
  }

  /// Returns the escape sequences of the kitty graphics protocol that give the picture to the terminal, which keeps it
  /// with an identifier and does not draw it yet.
  public func kittyTransmission(id: Int) -> [UInt8] { kittySequence("a=t,f=100,q=2,i=\(id),") }

  /// Returns the escape sequences that transmit the file after the keys of the first chunk.
  private func kittySequence(_ firstKeys: String) -> [UInt8] { kittyChunks(firstKeys).flatMap { $0 } }

  /// Returns these escape sequences, one for each chunk of the file.
  func kittyChunks(_ firstKeys: String) -> [[UInt8]] {
    var rest = Base64.standard.encoded(bytes)[...]
    var keys = firstKeys
    var output: [[UInt8]] = []
    repeat {
      // The protocol limits a chunk to 4096 bytes.
      let part = rest.prefix(4_096)
      rest = rest.dropFirst(part.count)
      var command = Array("\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);".utf8)
      command += part
      command += "\u{1B}\\".utf8
      output.append(command)
      keys = "q=2,"
    } while !rest.isEmpty
    return output
  }

  /// Returns the escape sequence of the kitty graphics protocol that draws the picture with an identifier into `box` at
  /// the cursor. The number of the placement distinguishes several places of one picture.
  public static func kittyPlacement(id: Int, placement: Int, _ box: PictureBox) -> [UInt8] {
    Array("\u{1B}_Ga=p,q=2,C=1,i=\(id),p=\(placement),c=\(box.columns),r=\(box.rows)\u{1B}\\".utf8)
  }

  /// Returns the escape sequence of the kitty graphics protocol that removes the picture with an identifier from one
  /// place.
  public static func kittyRemoval(id: Int, placement: Int) -> [UInt8] {
    Array("\u{1B}_Ga=d,d=i,q=2,i=\(id),p=\(placement)\u{1B}\\".utf8)
  }

  /// Returns the escape sequence of the kitty graphics protocol that deletes the picture with an identifier everywhere.
  public static func kittyDeletion(id: Int) -> [UInt8] { Array("\u{1B}_Ga=d,d=I,i=\(id),q=2\u{1B}\\".utf8) }

  /// Returns iTerm2's escape sequence that draws the picture into `box` at the cursor.
  func inlineImageSequence(_ box: PictureBox) -> [UInt8] {
    let keys = "inline=1;size=\(bytes.count);width=\(box.columns);height=\(box.rows);preserveAspectRatio=1"
    return Array("\u{1B}]1337;File=\(keys):".utf8) + Base64.standard.encoded(bytes) + [0x07]
  }
}

/// The size of a picture in character cells.
public struct PictureBox: Hashable {
  public var columns: Int
  public var rows: Int

  /// Creates the box for a picture of `width` × `height` pixels. The picture is scaled down to the maximum number of
  /// columns and rows if necessary, and scaled up to it if `scalesUp` is true.
  public init(
    _ width: Int, _ height: Int, cell: (width: Int, height: Int), maximum: (columns: Int, rows: Int), scalesUp: Bool
  ) {
    let (width, height) = (Double(max(1, width)), Double(max(1, height)))
    let available = (width: Double(maximum.columns * cell.width), height: Double(maximum.rows * cell.height))
    let scale = min(available.width / width, available.height / height, scalesUp ? .infinity : 1)
    columns = Int((width * scale / Double(cell.width)).rounded(.up)).clamped(to: 1...max(1, maximum.columns))
    rows = Int((height * scale / Double(cell.height)).rounded(.up)).clamped(to: 1...max(1, maximum.rows))
  }
}
