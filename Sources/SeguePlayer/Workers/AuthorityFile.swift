// Thread: the loop. The files of the configuration are small and local.
internal import Glibc
internal import SegueSystem
internal import SegueWire

/// Reads the files of `CertificateAuthority=`.
enum AuthorityFile {
  /// The maximum size of a file in bytes, which is about 600 certificates.
  private static let maximumSize = 1 << 20
  private static let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]

  /// Reads the file at `path`. Throws if it cannot be read, or contains no certificate in PEM.
  static func read(_ path: FilePath) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(path, upTo: maximumSize)
    } catch {
      throw Failure(.certificate, "CertificateAuthority=\(path) cannot be read: \(error.localizableReason)")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard marks.contains(where: text.contains) else {
      throw Failure(.certificate, "CertificateAuthority=\(path) contains no certificate in the format PEM")
    }
    // The last line may have no end.
    return bytes + [0x0A]
  }

  /// Creates a memory file with `certificates`. The fetch process could not read the files themselves, because AppArmor
  /// checks a file again when it is received.
  static func memoryFile(_ certificates: [UInt8]) throws(SystemError) -> Descriptor {
    let file = try MemoryFile.create("segue-authorities", size: certificates.count)
    let raw = file.raw
    try checked("pwrite", "segue-authorities") {
      certificates.withUnsafeBytes { pwrite(raw, $0.baseAddress, $0.count, 0) }
    }
    return file
  }
}
