import SegueTestKit
import Testing

@testable import SegueFetch

@Suite struct ICYSplitterTests {
  /// Ten bytes of audio, metadata of one unit, ten bytes of audio, no metadata, ten bytes of audio.
  private let body = joined(
    UInt8(0)..<10, [1], "StreamTitle='a'".utf8, [0], UInt8(10)..<20, [0], UInt8(20)..<30)

  /// Returns the audio and the metadata, each with the number of audio bytes before it.
  private func split(_ body: [UInt8], pieces: Int) throws -> (audio: [UInt8], metadata: [(Int, [UInt8])]) {
    var splitter = try #require(ICYSplitter(interval: 10))
    var audio: [UInt8] = []
    var metadata: [(Int, [UInt8])] = []
    for start in stride(from: 0, to: body.count, by: pieces) {
      let piece = Array(body[start..<min(start + pieces, body.count)])
      piece.withUnsafeBytes { bytes in
        for part in splitter.split(bytes) {
          switch part {
          case .audio(let range): audio += bytes[range]
          case .metadata(let text): metadata.append((audio.count, text))
          }
        }
      }
    }
    return (audio, metadata)
  }

  @Test(arguments: 1...47)
  func audioAndMetadataAreSeparatedHoweverTheBodyIsDivided(_ pieces: Int) throws {
    let (audio, metadata) = try split(body, pieces: pieces)
    #expect(audio == Array(0..<30))
    #expect(metadata.map(\.0) == [10])
    #expect(metadata.first?.1 == Array("StreamTitle='a'".utf8))
  }

  @Test(arguments: [0, -1, 1 << 25])
  func implausibleIntervalsAreIgnored(_ interval: Int) { #expect(ICYSplitter(interval: interval) == nil) }
}
