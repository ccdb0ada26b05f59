import SegueTestKit
import Testing

@testable import SegueClientKit

/// Tests of the sequences for pictures in the cells of a multiplexer.
@Suite struct PlaceholderTests {
  @Test func aPlaceholderHasItsRowItsColumnAndTheIdentifier() throws {
    let box = PictureBox(2, 2, cell: (1, 1), maximum: (2, 2), scalesUp: false)
    let id = PicturePlaceholders.identifier(3, process: 6)
    #expect(id == 7 << 24 | 19)
    let cell = "\u{10EEEE}"
    let (zero, one, seven) = ("\u{305}", "\u{30D}", "\u{33F}")
    #expect(
      Array(String(decoding: PicturePlaceholders.sequence(id: id, box), as: UTF8.self).unicodeScalars)
        == Array(
          """
          \u{1B}[38;5;19m\(cell + zero + zero + seven)\(cell + zero + one + seven)\u{1B}[m\u{1B}[2D\u{1B}[B\
          \u{1B}[38;5;19m\(cell + one + zero + seven)\(cell + one + one + seven)\u{1B}[m
          """.unicodeScalars))
  }

  /// The list of the protocol has 297 diacritics.
  @Test func theDiacriticsAreThoseOfTheProtocol() {
    let diacritics = PicturePlaceholders.diacritics
    #expect(diacritics.count == 297 && diacritics.first == "\u{305}" && diacritics.last == "\u{1D244}")
    #expect(diacritics[29] == "\u{36F}" && diacritics[30] == "\u{483}" && diacritics[255] == "\u{A8E5}")
  }

  @Test func identifiersAreThoseOfOneProgramAndNoBasicColors() {
    for process: Int32 in [1, 254, 255, 4_000_000] {
      let all = (0..<PicturePlaceholders.identifierCount).map { PicturePlaceholders.identifier($0, process: process) }
      #expect(Set(all).count == all.count && Set(all.map { $0 >> 24 }).count == 1)
      #expect(all.allSatisfy { 1...255 ~= $0 >> 24 && 16...255 ~= $0 & 0xFFFF_FF })
    }
  }

  /// tmux takes an application program command for a title unless it is passed on.
  @Test func everyCommandIsPassedOn() throws {
    let picture = try #require(TerminalPicture(Repository.fixture("Tags/front.png")))
    let box = PictureBox(2, 1, cell: (1, 1), maximum: (2, 1), scalesUp: false)
    let sequences = PicturePlaceholders.transmission(picture, id: 20, box) + PicturePlaceholders.deletion(id: 20)
    let text = String(decoding: sequences, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T,U=1,f=100,q=2,i=20,c=2,r=1,m=0;iVBOR"))
    #expect(text.hasSuffix("\u{1B}\u{1B}\\\u{1B}\\\u{1B}Ptmux;\u{1B}\u{1B}_Ga=d,d=I,i=20,q=2\u{1B}\u{1B}\\\u{1B}\\"))
  }
}
