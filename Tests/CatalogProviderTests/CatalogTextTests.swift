import SegueWire
import Testing

@testable import SegueCatalogProviders

@Suite struct CatalogTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("a  b\n\nc", "a b\n\nc"), ("a<br>b<br/>c", "a\nb\nc"), ("a\nb<br>c", "a b\nc"),
    ("<p>One.</p>\n<p>Two.</p>", "One.\n\nTwo."), ("a<br><br><br><br>b", "a\n\nb"),
    ("<ul><li>x</li><li>y</li></ul>", "• x\n• y"),
    ("<b>bo</b>ld &amp; &lt;i&gt; &#38; &#x26; &nbsp;x", "bold & <i> & & x"),
    ("a < b & c > d &; &unknown; &#xZZ;", "a < b & c > d &; &unknown; &#xZZ;"),
    ("<!-- hidden <p> -->shown", "shown"), ("<!-- never closed", "<!-- never closed"),
    ("x<script>alert('<p>')</script>y", "xy"),
    ("<STYLE>p{}</STYLE>text", "text"), ("<a title=\"1 > 0\" href='x'>link</a>", "link"), ("<a title=\">x", "x"),
    ("<?xml version='1.0'?><!DOCTYPE html>t", "t"), ("<>", "<>"), ("<3 music", "<3 music"),
    ("&#0;&#xD800;&#128;&#9999999;", "\u{FFFD}\u{FFFD}€\u{FFFD}"), ("\u{202E}abc\u{0}\u{1B}[0m", "abc[0m"),
    ("", nil), ("  \n ", nil), ("<p></p>", nil), ("a\r\nb\rc", "a\nb\nc"), ("&mdash;&Eacute;", "—É"),
  ]) func html_becomesPlainText(html: String, text: String?) { #expect(HTMLText.plain(html) == text) }

  @Test func longText_isTruncated() {
    #expect(HTMLText.plain(String(repeating: "ж", count: 10_000), limit: 101)?.utf8.count == 100)
  }

  /// The conversion of a text takes a fraction of a second. In quadratic time, it would take many minutes.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "<", "<a", "<a ", "<!--", "<a \">", "<a '\">", "<a \"'>", "<script>", "&", "&#", "<p>", "&lt;", "<li>",
    ])
  func conversion_takesLinearTime(unit: String) {
    for tail in ["", ">", "'", "\"", "\">"] {
      let html = String(repeating: unit, count: 512 << 10 / unit.utf8.count) + tail
      let text = HTMLText.plain(html, limit: 512 << 10)
      #expect(text?.utf8.count ?? 0 <= 512 << 10)
    }
  }

  @Test(arguments: [
    (" a \t b\u{0}c\n", "a b c"), ("", nil), ("\u{2028}\u{7}", nil), ("x\u{202E}y", "x y"),
  ]) func line_isCleaned(text: String, line: String?) { #expect(CatalogText.line(text) == line) }

  @Test(arguments: [
    ("1999", "1999"), ("1999-03", "1999-03"), ("1999-03-01T08:00:00-07:00", "1999-03-01"),
    ("1999-03-01 x", "1999-03-01"),
    ("", nil), ("99", nil), ("1999-13", nil), ("1999-00", nil), ("1999-3-1", nil), ("1999-03-32", nil),
    ("199-03-01", nil),
    ("0000", nil), ("1999-03-01-01", nil), ("٢٠٢٠", nil),
  ]) func date_isReadAtTheBeginning(text: String, date: String?) { #expect(CatalogText.date(text) == date) }

  @Test(
    arguments: [
      (nil, nil, nil, nil), ("DE", "de_DE.UTF-8", "de", "de-DE"), ("us", "en-us", "us", "en-US"), (nil, "C", nil, nil),
      (nil, "POSIX", nil, nil), (nil, "ru", nil, "ru"), (nil, "sr_RS@latin", nil, "sr-RS"), (nil, "C.UTF-8", nil, nil),
    ] as [(String?, String?, String?, String?)])
  func locale_isRead(country: String?, language: String?, code: String?, tag: String?) throws {
    let locale = try CatalogLocale(of: CatalogQuery(.people, country: country, language: language))
    #expect((locale.country, locale.tag) == (code, tag))
  }

  @Test(
    arguments: [
      ("d", nil), ("deu", nil), ("д", nil), ("1a", nil), (nil, "english"), (nil, "de-"), (nil, "de-DEU"), (nil, "-DE"),
      (nil, "de&x=1"),
    ] as [(String?, String?)])
  func malformedLocale_isRefused(country: String?, language: String?) {
    expectFailure(.invalidParams) {
      try CatalogLocale(of: CatalogQuery(.people, country: country, language: language))
    }
  }
}
