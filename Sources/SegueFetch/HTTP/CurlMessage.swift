internal import CCurl
internal import SegueWire

extension LocalizableMessage {
  /// The messages of libcurl and OpenSSL that users may see, as clients translate them.
  private static let curlMessages: [LocalizableMessage] = [
    LocalizableMessage("Failed initialization"), LocalizableMessage("Weird server reply"),
    LocalizableMessage("Failed writing received data to disk/application"), LocalizableMessage("Out of memory"),
    LocalizableMessage("Timeout was reached"), LocalizableMessage("SSL connect error"),
    LocalizableMessage("Requested range was not delivered by the server"),
    LocalizableMessage("Operation was aborted by an application callback"),
    LocalizableMessage("SSL crypto engine not found"), LocalizableMessage("Couldn't use specified SSL cipher"),
    LocalizableMessage("SSL peer certificate or SSH remote key was not OK"),
    LocalizableMessage("Unrecognized or bad HTTP Content or Transfer-Encoding"),
    LocalizableMessage("Maximum file size exceeded"), LocalizableMessage("Login denied"),
    LocalizableMessage("Problem with the SSL CA cert (path? access rights?)"),
    LocalizableMessage("Issuer check against peer certificate failed"),
    LocalizableMessage("SSL server certificate status verification FAILED"),
    LocalizableMessage("proxy handshake error"),
    // X509_verify_cert_error_string(3) of OpenSSL.
    LocalizableMessage("certificate has expired"), LocalizableMessage("certificate is not yet valid"),
    LocalizableMessage("certificate revoked"), LocalizableMessage("self-signed certificate"),
    LocalizableMessage("self-signed certificate in certificate chain"),
    LocalizableMessage("unable to get issuer certificate"),
    LocalizableMessage("unable to get local issuer certificate"),
    LocalizableMessage("unable to verify the first certificate"),
  ]

  /// The text with which libcurl describes a certificate of another server, before and behind its name.
  private static let wrongName = (
    start: "SSL: no alternative certificate subject name matches target host name '", end: "'"
  )

  /// Creates the message of libcurl for an error. `detail` is its description of the single case, possibly empty.
  init(curl code: CURLcode, detail: String) {
    let certificate = "SSL certificate problem: "
    if detail.isEmpty {
      self = .known(String(cString: curl_easy_strerror(code)), in: Self.curlMessages)
    } else if detail.hasPrefix(certificate) {
      self = .known(String(detail.dropFirst(certificate.count)), in: Self.curlMessages)
    } else if detail.hasPrefix(Self.wrongName.start), detail.hasSuffix(Self.wrongName.end) {
      let name = detail.dropFirst(Self.wrongName.start.count).dropLast(Self.wrongName.end.count)
      self = LocalizableMessage("SSL: no alternative certificate subject name matches target host name '\(name)'")
    } else {
      self = .known(detail, in: Self.curlMessages)
    }
  }
}
