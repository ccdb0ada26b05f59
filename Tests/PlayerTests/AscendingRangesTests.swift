import Testing

@testable import SeguePlayer

@Suite struct AscendingRangesTests {
  @Test(arguments: 0..<200) func theOperationsAgreeWithThoseOfSets(seed: Int) {
    var dice = SplitMix64(seed: UInt64(seed))
    func random() -> Set<Int> {
      let density = Int.random(in: 1...8, using: &dice)
      return Set((0..<40).filter { _ in Int.random(in: 0..<8, using: &dice) < density })
    }
    let (a, b) = (random(), random())
    func ranges(_ set: Set<Int>) -> AscendingRanges<Int> { AscendingRanges(ascending: set.sorted()) }
    func changed(_ change: (inout AscendingRanges<Int>) -> Void) -> AscendingRanges<Int> {
      var result = ranges(a)
      change(&result)
      return result
    }
    #expect(ranges(a).ranges.flatMap { $0 } == a.sorted())
    #expect((-1...40).filter(ranges(a).contains) == a.sorted())
    #expect(changed { $0.formUnion(ranges(b)) } == ranges(a.union(b)))
    #expect(changed { $0.subtract(ranges(b)) } == ranges(a.subtracting(b)))
    #expect(changed { $0.formIntersection(ranges(b)) } == ranges(a.intersection(b)))
    #expect(AscendingRanges(ascending: ranges(a).ranges) == ranges(a))
  }
}
