import SegueSystem

@testable import SegueServer
@testable import SegueWire

/// A fuzzer for the input of a client: it is split into lines, parsed and validated by the method table.
func fuzzSocket(_ input: UnsafeRawBufferPointer) {
  let found = lines(of: input, inPiecesOf: max(1, input.count))
  precondition(
    found == lines(of: input, inPiecesOf: 1 + input.count % 7), "the lines depend on the sizes of the reads")
  for line in found { line.withUnsafeBytes(check) }
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
