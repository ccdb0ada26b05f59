internal import Glibc
internal import SegueSystem
internal import SegueWire

extension UnixTime {
  /// `2026-11-21T08:07:41Z`, for programs.
  var stamp: String { format("%Y-%m-%dT%H:%M:%SZ") { gmtime_r(&$0, &$1) != nil } }

  /// `2026-11-21 09:07`, where the user is.
  var local: String { format("%Y-%m-%d %H:%M") { localtime_r(&$0, &$1) != nil } }

  private func format(_ format: String, _ split: (inout time_t, inout tm) -> Bool) -> String {
    var seconds = time_t(nanoseconds / 1_000_000_000)
    var parts = tm()
    guard split(&seconds, &parts) else { return "" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
