import SegueFiles
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@Suite struct MediaURITests {
  @Test func cueRangesAreTheSameAfterARoundTripThroughAURI() throws {
    let path = FilePath(bytes: Array("/m/a b#?%\u{E9}".utf8) + [0xFF])
    for start in [0, 1, 2, 37, 74, 75, 76, 4499, 4500, 359_999, 7_000_001] as [Int64] {
      for end in [nil, start + 1, start + 12_345] as [Int64?] {
        let uri = MediaURI.file(path, range: CueRange(start: start, end: end))
        #expect(try MediaURI(uri.uri) == uri)
      }
    }
    #expect(MediaURI.file(FilePath("/a"), range: CueRange(start: 75, end: 151)).uri == "file:///a#t=1,2.013333")
  }

  @Test(arguments: [8000, 11_025, 44_100, 48_000, 96_000, 192_000] as [UInt32])
  func theTimesOfCueRangesConvertToTheNearestFrames(hertz: UInt32) {
    let rate = SampleRate(hertz)
    for frame in Array(0...1000) + [270_000, 359_999, 4_499_999] as [Int64] {
      let range = CueRange(start: frame, end: frame + 1)
      let exact = Double(frame) * Double(hertz) / 75
      #expect(abs(Double(rate.frames(in: range.startTime).count) - exact) <= 0.5)
      #expect(
        range.endTime == CueRange(start: frame + 1, end: nil).startTime, "the end of a track is the start of the next")
      if hertz % 75 == 0 { #expect(rate.frames(in: range.startTime).count == frame * Int64(hertz / 75)) }
    }
  }

  @Test(arguments: [
    ("#t=10", CueRange(start: 750, end: nil)), ("#t=npt:10,20", CueRange(start: 750, end: 1500)),
    ("#t=,20", CueRange(start: 0, end: 1500)), ("#t=1:30,2:00.5", CueRange(start: 6750, end: 9038)),
    ("#x=1&t=2", CueRange(start: 150, end: nil)), ("#t=1:00:00", CueRange(start: 270_000, end: nil)),
    ("#t=20,10", nil), ("#t=", nil), ("#t=a", nil), ("#t=1,", nil), ("#t=-1", nil), ("#foo", nil),
    ("#t=99999999999", nil), ("#t=0,999999999:999999999:0", nil), ("#t=999999999:0", nil), ("#t=1e3", nil),
    ("#t=1:2:3:4", nil), ("", nil),
  ]) func mediaFragmentsAreReadAsRanges(text: String, range: CueRange?) throws {
    #expect(try MediaURI("file:///a" + text) == .file(FilePath("/a"), range: range))
  }

  @Test func aURLOverTheMaximumLengthIsRefused() throws {
    let name = String(repeating: "a", count: 16 * 1024 - "http://h/".utf8.count)
    #expect(throws: Never.self) { try MediaURI("http://h/" + name) }
    #expect(throws: Failure.self) { try MediaURI("http://h/a" + name) }
  }

  @Test func streamURLsAreKeptUnchanged() throws {
    for url in ["http://radio.example:8000/a?b=c#d", "HTTPS://x/", "http://u:p@h/s"] {
      #expect(try MediaURI(url) == .stream(url))
      #expect(try MediaURI(url).uri == url)
    }
  }

  @Test func streamURLsAreNormalised() throws {
    #expect(try MediaURI("http://h/Über uns.mp3 ") == .stream("http://h/%C3%9Cber%20uns.mp3"))
    #expect(MediaURI.displayName(of: "http://h/%C3%9Cber%20uns.mp3") == "http://h/Über uns.mp3")
  }

  @Test(arguments: [
    ("http:///", "host"), ("http://:80/", "host"), ("https://user@/", "host"), ("http://?q", "host"),
    ("http://[::1", "bracket"), ("http://[::1/x", "bracket"), ("http://[::g]/", "[::g]"), ("http://[]/", "[]"),
    ("http://[::1]x/", "port"), ("http://a]/", "a]"), ("http://h:99999999/", "99999999"), ("http://h:65536", "65536"),
    ("http://h:0/", "“0”"), ("http://h:+80/", "+80"), ("http://h:8o/", "8o"), ("https://h:-1/", "-1"),
    ("http:/h/", "//"), ("http://a b/", "white space"),
  ]) func aURLWithoutAValidServerIsRefusedWithTheReason(uri: String, named: String) {
    let failure = thrown(Failure.self) { try MediaURI(uri) }
    #expect(failure?.kind == .notFound)
    #expect(failure?.message.dropFirst(uri.count).contains(named) == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: [
    "http://h", "http://h:/x", "http://h:65535/", "http://h:00080/", "http://[::1]", "http://[fe80::1%25eth0]:8000/x",
    "https://user:p@ss@h:1/", "http://[::ffff:1.2.3.4]?q", "HTTP://ж.example/",
  ]) func aURLWithAValidServerIsAccepted(uri: String) throws { #expect(try MediaURI(uri) == .stream(uri)) }

  @Test(arguments: [
    ("/music/a.flac", Failure.Kind.invalidParams), ("a.flac", .invalidParams), ("", .invalidParams),
    ("1a:b", .invalidParams), ("file://otherhost/a", .notFound), ("file:relative", .notFound),
    ("file:///a%00b", .notFound), ("gopher://x/", .notFound), ("javascript:alert(1)", .notFound),
    ("http://", .notFound), ("http:x", .notFound), ("http://a b/", .notFound), ("http://a\u{7F}/", .notFound),
    ("concat:a|b", .notFound), ("pipe:0", .notFound), ("data:,x", .notFound),
  ]) func invalidURIsAreRefused(uri: String, kind: Failure.Kind) {
    let failure = thrown(Failure.self) { try MediaURI(uri) }
    #expect(failure?.kind == kind)
    #expect(failure?.message.contains(uri) == true)
  }
}
