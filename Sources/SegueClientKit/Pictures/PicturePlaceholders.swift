/// The placeholders of the kitty graphics protocol: characters in whose cells the terminal displays the parts of a
/// picture. A multiplexer keeps them as it does other characters, and need not know of the picture
/// (“Unicode placeholders” in the description of the protocol).
public enum PicturePlaceholders {
  /// The number of identifiers that `identifier` returns for each program.
  public static let identifierCount = 240
  /// The first colour of the palette that is an identifier. Terminals display those before it differently.
  private static let firstColor = 16

  /// Returns an identifier for a picture. Its last byte is the number of the colour of the cells, which multiplexers
  /// keep, and its first byte is that of a program, of which several may run in the same window.
  public static func identifier(_ index: Int, process: Int32) -> Int {
    (Int(process) % 255 + 1) << 24 | (firstColor + index % identifierCount)
  }

  /// Returns the sequences that transmit a picture with an identifier, which its placeholders display in `box`.
  public static func transmission(_ picture: TerminalPicture, id: Int, _ box: PictureBox) -> [UInt8] {
    picture.kittyChunks("a=T,U=1,f=100,q=2,i=\(id),c=\(box.columns),r=\(box.rows),").flatMap { passing($0) }
  }

  /// Returns the sequence that deletes the picture with an identifier.
  public static func deletion(id: Int) -> [UInt8] { passing(TerminalPicture.kittyDeletion(id: id)) }

  /// Returns the sequence that writes the placeholders of the picture with an identifier into `box` at the cursor.
  ///
  /// Each cell has its own row and column, and would be found without them from the cell before it: a multiplexer may
  /// write any part of a row again.
  public static func sequence(id: Int, _ box: PictureBox) -> [UInt8] {
    var text = String.UnicodeScalarView()
    let columns = min(box.columns, diacritics.count)
    for row in 0..<min(box.rows, diacritics.count) {
      if row > 0 { text += "\u{1B}[\(columns)D\u{1B}[B".unicodeScalars }
      text += "\u{1B}[38;5;\(id & 0xFF)m".unicodeScalars
      for column in 0..<columns {
        text += [character, diacritics[row], diacritics[column], diacritics[id >> 24 & 0xFF]]
      }
      text += "\u{1B}[m".unicodeScalars
    }
    return Array(String(text).utf8)
  }

  /// Returns the sequence with which tmux passes another one on to the terminals around it (tmux(1),
  /// `allow-passthrough`).
  private static func passing(_ sequence: some Sequence<UInt8>) -> [UInt8] {
    var output = Array("\u{1B}Ptmux;".utf8)
    for byte in sequence {
      if byte == 0x1B { output.append(byte) }
      output.append(byte)
    }
    return output + Array("\u{1B}\\".utf8)
  }

  private static let character: Unicode.Scalar = "\u{10EEEE}"

  /// The diacritics that stand for numbers from 0: those of the combining class 230 in Unicode 6.0 that no
  /// normalization changes (`rowcolumn-diacritics.txt` in the description of the protocol).
  static let diacritics: [Unicode.Scalar] = diacriticRanges.flatMap { $0.compactMap(Unicode.Scalar.init) }
  private static let diacriticRanges: [ClosedRange<UInt32>] = [
    0x0305...0x0305, 0x030D...0x030E, 0x0310...0x0310, 0x0312...0x0312, 0x033D...0x033F, 0x0346...0x0346,
    0x034A...0x034C, 0x0350...0x0352, 0x0357...0x0357, 0x035B...0x035B, 0x0363...0x036F, 0x0483...0x0487,
    0x0592...0x0595, 0x0597...0x0599, 0x059C...0x05A1, 0x05A8...0x05A9, 0x05AB...0x05AC, 0x05AF...0x05AF,
    0x05C4...0x05C4, 0x0610...0x0617, 0x0657...0x065B, 0x065D...0x065E, 0x06D6...0x06DC, 0x06DF...0x06E2,
    0x06E4...0x06E4, 0x06E7...0x06E8, 0x06EB...0x06EC, 0x0730...0x0730, 0x0732...0x0733, 0x0735...0x0736,
    0x073A...0x073A, 0x073D...0x073D, 0x073F...0x0741, 0x0743...0x0743, 0x0745...0x0745, 0x0747...0x0747,
    0x0749...0x074A, 0x07EB...0x07F1, 0x07F3...0x07F3, 0x0816...0x0819, 0x081B...0x0823, 0x0825...0x0827,
    0x0829...0x082D, 0x0951...0x0951, 0x0953...0x0954, 0x0F82...0x0F83, 0x0F86...0x0F87, 0x135D...0x135F,
    0x17DD...0x17DD, 0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B, 0x1B6D...0x1B73,
    0x1CD0...0x1CD2, 0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1, 0x1DC3...0x1DC9, 0x1DCB...0x1DCC,
    0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D1, 0x20D4...0x20D7, 0x20DB...0x20DC, 0x20E1...0x20E1,
    0x20E7...0x20E7, 0x20E9...0x20E9, 0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F,
    0xA67C...0xA67D, 0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8,
    0xAABE...0xAABF, 0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38, 0x1D185...0x1D189,
    0x1D1AA...0x1D1AD, 0x1D242...0x1D244,
  ]
}
