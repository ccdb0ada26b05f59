/// A copy of one frame, in memory that is there from the start: 32 channels of 4 bytes.
struct FrameCopy {
  private var bytes = [UInt8](repeating: 0, count: 128)
  private(set) var size = 0

  mutating func take(lastOf pcm: UnsafeMutableRawBufferPointer, frameSize: Int) {
    size = frameSize
    bytes.withUnsafeMutableBytes { copy in
      copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: pcm[(pcm.count - frameSize)...]))
    }
  }

  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<size])) }
  }
}
