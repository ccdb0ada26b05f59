import SegueSystem
import SegueWire
import Testing

@testable import SegueCatalogProviders

/// Tests of responses that every provider treats equally.
@Suite struct CatalogResponseTests {
  private func failure(_ response: CatalogResponse) -> Failure? {
    do throws(Failure) {
      _ = try response.json(from: "Test")
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    (400, Failure.Kind.invalidParams), (401, .denied), (403, .denied), (404, .notFound), (410, .notFound),
    (408, .timeout), (504, .timeout), (502, .offline), (503, .offline), (500, .badResponse), (204, .badResponse),
    (301, .badResponse), (0, .badResponse), (429, .rateLimited),
  ]) func status_becomesAKind(status: Int, kind: Failure.Kind) {
    #expect(failure(Sample.response("{}", status: status))?.kind == kind)
  }

  @Test func retryAfter_isStated() {
    #expect(failure(Sample.response("", status: 429, retryAfter: "7"))?.retryAfter == .seconds(7))
    let busy = failure(Sample.response("", status: 503, retryAfter: "Thu, 01 Jan 1970 00:02:00 GMT"))
    #expect((busy?.kind, busy?.retryAfter) == (.rateLimited, .seconds(120)))
    #expect(failure(Sample.response("", status: 503, retryAfter: "soon"))?.kind == .offline)
  }

  @Test(arguments: [
    ("5", 5), (" 0 ", 1), ("99999999999999999999", 3600), ("Sun, 06 Nov 1994 08:49:37 GMT", 3600),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 1),
  ]) func retryAfter_isBetweenASecondAndAnHour(value: String, seconds: Int) {
    #expect(RetryAfter.time(value, now: UnixTime(nanoseconds: 0)) == .seconds(seconds))
  }

  @Test(arguments: [(1, "1 s"), (119, "119 s"), (120, "2 min"), (3541, "60 min")])
  func rateLimit_statesWhenToTryAgain(seconds: Int, text: String) {
    let failure = Failure.rateLimit(of: "iTunes", for: .seconds(seconds))
    #expect(failure.message == "iTunes limits the rate of requests; try again in \(text)")
  }

  @Test(arguments: ["", "-1", "1.5", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 32 Nov 1994 08:49:37 GMT"])
  func malformedRetryAfter_isIgnored(value: String) {
    #expect(RetryAfter.time(value, now: UnixTime(nanoseconds: 0)) == nil)
  }

  @Test(arguments: [
    ("max-age=60", 60.0), ("public, Max-Age = 5 , s-maxage=7", 5), ("max-age=\"9\"", 9), ("max-age=0", 0),
    ("private=\"x\",max-age=99999999999999999999", MediaTime.maximum.seconds),
  ]) func cacheControl_statesAnAge(value: String, seconds: Double) {
    #expect(CacheControl.maximumAge(value) == .seconds(seconds))
  }

  @Test(arguments: ["", "max-age", "max-age=", "max-age=-1", "max-age=1.5", "s-maxage=7", "no-cache", "=,=,="])
  func cacheControlWithoutAnAge_isIgnored(value: String) { #expect(CacheControl.maximumAge(value) == nil) }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777 as Int64), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
    ("Fri, 31 Dec 2027 23:59:60 GMT", 1_830_297_600),
  ]) func dateOfHTTP_isRead(text: String, seconds: Int64) {
    #expect(UnixTime(httpDate: text) == UnixTime(nanoseconds: seconds * 1_000_000_000))
  }

  @Test func body_mustBeJSONWithinTheLimits() {
    #expect(failure(Sample.response("\u{FEFF}\n\n{}\n")) == nil)
    for body in ["", " \n", "{", "null x", "<html>", "\u{FEFF}  <", "{}{}"] {
      #expect(failure(Sample.response(body))?.kind == .badResponse)
    }
    #expect(failure(Sample.response("{}", contentType: "text/html"))?.kind == .badResponse)
    let values = "[" + String(repeating: "0,", count: CatalogResponse.maximumValueCount) + "0]"
    #expect(failure(Sample.response(values))?.message.contains("more than 50000 values") == true)
    let size = CatalogResponse.maximumBodySize
    #expect(failure(Sample.response("\"" + String(repeating: "a", count: size - 2) + "\"")) == nil)
    #expect(failure(Sample.response("\"" + String(repeating: "a", count: size - 1) + "\""))?.kind == .badResponse)
  }
}
