import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the functions that all modules share.
@Suite struct SystemTests {
  @Test(arguments: [
    ("abcabc", "abc", 0, 3), ("abcabd", "abd", 3, 6), ("aab", "ab", 1, 3), ("a", "a", 0, 1), ("ab", "b", 1, 2),
  ])
  func range_isThatOfTheFirstOccurrence(text: String, pattern: String, start: Int, end: Int) {
    #expect(Array(text.utf8).range(of: Array(pattern.utf8)) == start..<end)
    let range = text.range(of: pattern)
    #expect(range.map { text[..<$0.lowerBound].count } == start)
    #expect(range.map { text[..<$0.upperBound].count } == end)
  }

  @Test(arguments: [("abc", "abd"), ("ab", "abc"), ("", "a"), ("abc", "")])
  func range_isNilWithoutOccurrence(text: String, pattern: String) {
    #expect(text.utf8.range(of: pattern.utf8) == nil)
    #expect(text.range(of: pattern) == nil)
  }

  @Test func range_comparesCanonicallyEquivalentCharacters() {
    #expect("caf\u{E9}".range(of: "e\u{301}") != nil)
    #expect("cafe\u{301}".range(of: "e") == nil)
  }

  @Test func markup_isEscapedByCodePoints() {
    #expect("<a b=\"c\">&'".escapedForMarkup(quotes: true) == "&lt;a b=&quot;c&quot;&gt;&amp;&apos;")
    #expect("<a b=\"c\">&'".escapedForMarkup(quotes: false) == "&lt;a b=\"c\"&gt;&amp;'")
    #expect("&\u{301}".escapedForMarkup(quotes: false).unicodeScalars.elementsEqual("&amp;\u{301}".unicodeScalars))
  }

  @Test(arguments: [
    ("pause", "pause", 0), ("puase", "pause", 1), ("pase", "pause", 1), ("pausee", "pause", 1), ("pauze", "pause", 1),
    ("stop", "play", 4), ("", "play", 4),
  ])
  func editDistance_countsEditsAndSwaps(word: String, other: String, distance: Int) {
    let distances = EditDistance(from: Array(word.unicodeScalars))
    #expect(distances.to(other.unicodeScalars).whole == distance)
  }

  @Test(arguments: [
    ("resum", "resume"), ("RESUMED", "resume"), ("paus", "paused"), ("stoppd", "stopped"), ("abc", nil), ("s", nil),
    ("", nil), ("pxuxed", "paused"), ("pxuxxd", nil),
  ]) func editDistance_suggestsOnlySimilarNames(name: String, meant: String?) {
    #expect(EditDistance.nearest(to: name, in: ["paused", "resume", "stopped"]) == meant)
  }

  @Test func durations_haveUnits() {
    #expect(MediaTime.seconds(2) == .milliseconds(2_000))
    #expect(MediaTime.seconds(0.25) == .milliseconds(250))
    #expect(MediaTime.milliseconds(3) == .microseconds(3_000))
    #expect(MediaTime.milliseconds(250) * 3 == .milliseconds(750))
    #expect(MediaTime.seconds(5) / 2 == .milliseconds(2_500))
  }

  @Test func inotify_reportsNamesInOrder() throws {
    let folder = try TemporaryFolder()
    let inotify = try InotifyInstance()
    let watch = try inotify.add(folder.path, UInt32(IN_CREATE | IN_DELETE_SELF))
    try folder.write("a")
    try folder.makeFolder("b")
    let events = inotify.read()
    #expect(events.map(\.watch) == [watch, watch])
    #expect(events.map { String(decoding: $0.name, as: UTF8.self) } == ["a", "b"])
    #expect(events.map(\.isFolder) == [false, true])
    #expect(inotify.read().isEmpty)
  }

  @Test func semaphore_waitEndsAtTheTimeout() {
    let semaphore = Semaphore()
    #expect(!semaphore.wait(for: .milliseconds(1)))
    semaphore.signal()
    #expect(semaphore.wait(for: .seconds(10)))
  }
}
