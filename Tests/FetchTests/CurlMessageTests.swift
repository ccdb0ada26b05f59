import CCurl
import SegueWire
import Testing

@testable import SegueFetch

/// Tests of the messages for errors of libcurl.
@Suite struct CurlMessageTests {
  /// Errors for which `TransferError` shows the message of libcurl, apart from those whose message differs between
  /// versions.
  @Test(arguments: [
    CURLE_FAILED_INIT, CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY, CURLE_OPERATION_TIMEDOUT, CURLE_SSL_CONNECT_ERROR,
    CURLE_ABORTED_BY_CALLBACK, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
  ])
  func usualErrors_canBeTranslated(_ code: CURLcode) {
    let message = LocalizableMessage(curl: code, detail: "")
    #expect(message.text == String(cString: curl_easy_strerror(code)))
    #expect(message.template == message.text)
  }

  @Test(arguments: [
    ("SSL certificate problem: certificate has expired", "certificate has expired", []),
    (
      "SSL: no alternative certificate subject name matches target host name 'a.example'",
      "SSL: no alternative certificate subject name matches target host name '%1$s'",
      [LocalizableMessage.Argument.text("a.example")]
    ),
    ("SSL certificate problem: of a later version", nil, []), ("something else", nil, []),
  ])
  func descriptions_canBeTranslatedIfTheyAreKnown(
    _ detail: String, _ template: String?, _ arguments: [LocalizableMessage.Argument]
  ) {
    let message = LocalizableMessage(curl: CURLE_PEER_FAILED_VERIFICATION, detail: detail)
    #expect(detail.hasSuffix(message.text))
    #expect(message.template == template)
    #expect(message.arguments == arguments)
  }
}
