internal import CCurl
internal import SegueSystem

/// The certificates of the authorities that the system trusts, in PEM.
public struct SystemCertificates {
  let pem: [UInt8]

  /// The maximum size of the file in bytes.
  private static let maximumSize = 4 << 20

  /// Reads the file that libcurl uses. Returns nil if there is none, or logs why it cannot be read and returns nil.
  public static func read() -> SystemCertificates? {
    guard let path = segue_curl_version().pointee.cainfo else { return nil }
    do {
      return SystemCertificates(pem: try SmallFile.read(FilePath(String(cString: path)), upTo: maximumSize))
    } catch {
      Log.warning("the certificates of the system cannot be read: \(error)")
      return nil
    }
  }
}
