internal import Glibc
internal import SegueSystem

/// libsixel, loaded when the first picture is to be drawn by it: nothing else waits for it, and without it there are no
/// pictures. `sixel.h` of libsixel 1.8 says what the functions take.
enum Sixel {
  private typealias New = @convention(c) (UnsafeMutablePointer<OpaquePointer?>, OpaquePointer?) -> Int32
  private typealias SetOption = @convention(c) (OpaquePointer, Int32, UnsafePointer<CChar>) -> Int32
  private typealias Encode = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> Int32
  private typealias Unref = @convention(c) (OpaquePointer) -> Void

  static var isThere: Bool { library != nil }

  /// Draws the picture at `path` with these many pixels on standard output, at once. False if it cannot.
  static func draw(_ path: FilePath, width: Int, height: Int) -> Bool {
    guard let library, let new = dlsym(library, "sixel_encoder_new"),
      let setOption = dlsym(library, "sixel_encoder_setopt"), let encode = dlsym(library, "sixel_encoder_encode"),
      let unref = dlsym(library, "sixel_encoder_unref")
    else { return false }
    // The library says so of these names.
    let make = unsafeBitCast(new, to: New.self)
    let set = unsafeBitCast(setOption, to: SetOption.self)
    var encoder: OpaquePointer?
    guard make(&encoder, nil) == 0, let encoder else { return false }
    defer { unsafeBitCast(unref, to: Unref.self)(encoder) }
    guard set(encoder, Int32(UInt8(ascii: "w")), "\(width)") == 0,
      set(encoder, Int32(UInt8(ascii: "h")), "\(height)") == 0
    else { return false }
    return path.withCString { unsafeBitCast(encode, to: Encode.self)(encoder, $0) } == 0
  }

  private static var library: UnsafeMutableRawPointer? { dlopen("libsixel.so.1", RTLD_NOW | RTLD_LOCAL) }
}
