import SegueAccounts
import Testing

/// Tests of tokens and of the comparison of hashes.
@Suite struct SecretsTests {
  @Test func hashesAreEqualOnlyIfEveryByteIs() {
    var generator = SeededGenerator(seed: 3)
    for count in [0, 1, 2, 73] {
      let hash = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(Digest.areEqual(hash, hash))
      for index in 0..<count {
        for bit in 0..<8 {
          var other = hash
          other[index] ^= 1 << bit
          #expect(!Digest.areEqual(hash, other), "bit \(bit) of byte \(index) differs")
        }
      }
    }
    for _ in 0..<20_000 {
      let (one, two) = (0..<3).reduce(into: ([UInt8](), [UInt8]())) { pair, _ in
        pair.0.append(UInt8.random(in: 0...3, using: &generator))
        pair.1.append(UInt8.random(in: 0...3, using: &generator))
      }
      #expect(Digest.areEqual(one, two) == (one == two))
    }
    #expect(!Digest.areEqual([1, 2], [1, 2, 3]))
  }

  @Test func tokensDifferAndAreReadBack() throws {
    let tokens = (0..<100).map { _ in Token() }
    #expect(Set(tokens.map(\.text)).count == 100)
    for token in tokens { #expect(try #require(Token(token.text)).hash == token.hash) }
    for text in ["", "abc", String(repeating: "a", count: 42) + "=", String(repeating: "a", count: 44)] {
      #expect(Token(text) == nil)
    }
  }
}
