public import SegueSystem

/// An open file on its way from thread to thread.
public final class OpenFile: Sendable {
  public let path: FilePath
  private let descriptor: Descriptor

  init(path: FilePath, descriptor: consuming Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// The number; valid for as long as this object lives.
  public var raw: Int32 { descriptor.raw }
}
