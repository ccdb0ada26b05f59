internal import CCrypt
internal import CGnuTLS
internal import Glibc
internal import SegueSystem

/// A secret of 256 random bits that a browser, an invitation or a QR code has. Only its hash is stored.
public struct Token: Sendable {
  /// The token as 43 characters that need no escaping in a URL or a cookie.
  public let text: String

  /// Makes a new token, of random numbers of the kernel (getrandom(2)).
  public init() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
    text = String(decoding: Base64.url.encoded(bytes), as: UTF8.self)
  }

  /// Returns nil for a text that no token has.
  public init?(_ text: String) {
    guard text.utf8.count == 43, text.utf8.allSatisfy(Base64.url.contains) else { return nil }
    self.text = text
  }

  /// The SHA-256 of the text.
  public var hash: [UInt8] { Digest.sha256(Array(text.utf8)) }
}

public enum Digest {
  /// Whether two hashes are equal. The time that this takes does not depend on where they differ.
  public static func areEqual(_ one: [UInt8], _ two: [UInt8]) -> Bool {
    one.count == two.count && gnutls_memcmp(one, two, one.count) == 0
  }

  /// Returns the SHA-256 of bytes.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let status = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
    precondition(status == 0, "GnuTLS has no SHA-256")
    return digest
  }
}

/// The hash of a password with yescrypt. Making one takes about 0.2 s and 64 MiB, so it is done on a thread of its own,
/// one at a time.
enum PasswordHash {
  /// The binary logarithm of the cost: more than the minimum of OWASP for Argon2id.
  private static let cost: UInt = 7

  /// Returns the hash of a new password; nil if there is no memory for it.
  static func make(_ password: String) -> String? {
    guard let setting = crypt_gensalt_ra("$y$", cost, nil, 0) else { return nil }
    defer { free(setting) }
    return crypt(password, String(cString: setting))
  }

  /// Whether `hash` is that of the password. Without a hash, the same time passes.
  static func verify(_ password: String, _ hash: String?) -> Bool {
    guard let hash else {
      _ = make(password)
      return false
    }
    guard let other = crypt(password, hash) else { return false }
    return Digest.areEqual(Array(hash.utf8), Array(other.utf8))
  }

  private static func crypt(_ password: String, _ setting: String) -> String? {
    var memory: UnsafeMutableRawPointer?
    var size: Int32 = 0
    defer { free(memory) }
    guard let result = crypt_ra(password, setting, &memory, &size), result[0] != UInt8(ascii: "*") else { return nil }
    return String(cString: result)
  }
}
