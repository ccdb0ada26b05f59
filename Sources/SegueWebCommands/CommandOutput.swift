internal import Glibc
internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The output of a command: lines of text, or one object of JSON.
struct CommandOutput {
  var isJSON = false
  private var text = ""

  /// Adds a line, in which control characters become visible.
  mutating func line(_ line: String) {
    text +=
      line.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }.joined(separator: "\n")
      + "\n"
  }

  /// Adds a line as it is.
  mutating func raw(_ line: String) { text += line + "\n" }

  /// Adds an object, or the text for people.
  mutating func object(_ write: (inout JSONWriter) -> Void, text: (inout CommandOutput) -> Void) {
    guard isJSON else { return text(&self) }
    var json = JSONWriter()
    json.beginObject()
    write(&json)
    json.endObject()
    raw(String(decoding: json.bytes, as: UTF8.self))
  }

  /// Adds a list: as a member `name` of an object, or as a table with headings.
  mutating func list<Row>(
    _ name: StaticString, _ rows: [Row], _ headings: [String], json write: (inout JSONWriter, Row) -> Void,
    cells: (Row) -> [String]
  ) {
    object { json in
      json.key(name)
      json.beginArray()
      for row in rows {
        json.beginObject()
        write(&json, row)
        json.endObject()
      }
      json.endArray()
    } text: { output in
      if !rows.isEmpty { output.table([headings] + rows.map(cells)) }
    }
  }

  private mutating func table(_ rows: [[String]]) {
    let widths = rows[0].indices.map { column in rows.map { DisplayWidth.of($0[column].visible) }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).map { cell, width in
        cell.visible + String(repeating: " ", count: width - DisplayWidth.of(cell.visible))
      }
      let line = cells.joined(separator: "  ")
      raw(String(line.reversed().drop { $0 == " " }.reversed()))
    }
  }

  /// Writes the output.
  mutating func finish() {
    Self.write(text, to: 1)
    text = ""
  }

  static func printError(_ error: ClientError) {
    guard !error.message.isEmpty else { return }
    // The stable name is for programs.
    let name = Terminal.isTerminal(2) ? "" : error.kind.map { " (\($0))" } ?? ""
    let lines = ["segue web: \(error.message)\(name)"] + error.hints.map { "  \($0)" }
    write(lines.map { $0.visible + "\n" }.joined(), to: 2)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = ArraySlice(text.utf8)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
