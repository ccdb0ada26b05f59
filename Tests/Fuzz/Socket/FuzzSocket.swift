import SegueSystem

@testable import SegueServer
@testable import SegueWire

/// A fuzzer for the input of a client: it is split into lines, parsed and validated by the method table.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSocket(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = UnsafeRawBufferPointer(start: bytes, count: count)
  let lines = lines(of: input, inPiecesOf: max(1, count))
  precondition(
    lines == FuzzSocket.lines(of: input, inPiecesOf: 1 + count % 7), "the lines depend on the sizes of the reads")
  for line in lines { line.withUnsafeBytes(check) }
  return 0
}

private func lines(of input: UnsafeRawBufferPointer, inPiecesOf size: Int) -> [[UInt8]] {
  var framer = LineFramer()
  var lines: [[UInt8]] = []
  for start in stride(from: 0, to: input.count, by: size) {
    framer.append(UnsafeRawBufferPointer(rebasing: input[start..<min(start + size, input.count)]))
    while let line = framer.next({ Array($0) }) { lines.append(line) }
  }
  framer.end()
  while let line = framer.next({ Array($0) }) { lines.append(line) }
  return lines
}
