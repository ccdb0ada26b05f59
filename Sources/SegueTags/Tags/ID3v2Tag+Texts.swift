// Thread: the decoding thread.
internal import SegueWire

extension ID3v2Tag {
  /// The maximum size of all texts of a tag in bytes. Further texts are dropped.
  private static let maximumTextsSize = 4 << 20

  /// Adds all texts to `values`. Texts in user-defined frames have the rank after `rank`, so that the frames that are
  /// meant for a field are preferred.
  func collect(into values: inout TagValues, rank: Int) {
    var left = Self.maximumTextsSize
    var recording = RecordingTime()
    for frame in frames {
      guard Self.isText(frame.id), left > 0, let bytes = bytes(of: frame, limit: min(left, TagValues.maximumSize))
      else {
        if frame.id == "SYLT" || frame.id == "CHAP" { values.add(.text("1"), frame.id, rank: rank) }
        continue
      }
      left -= bytes.count
      var reader = ID3v2Reader(bytes)
      switch frame.id {
      case "UFID":
        let owner = reader.latinText()
        values.add(.init(Array(reader.remainder), isBytes: false), "UFID" + owner, rank: rank)
      case "RVA2": Self.collectVolume(&reader, into: &values, rank: rank)
      case "TXXX":
        guard reader.readEncoding() else { continue }
        guard let key = reader.text().decodedText else { continue }
        Self.collectTexts(&reader) { values.add($0, key, rank: rank + 1) }
      case "COMM", "USLT":
        guard reader.readEncoding() else { continue }
        reader.skip(3)
        guard let key = frame.id == "USLT" ? "" : reader.text().decodedText else { continue }
        if frame.id == "USLT" { _ = reader.text() } else if key.isEmpty { continue }
        values.add(reader.text(), frame.id + key, rank: rank)
      default:
        guard reader.readEncoding() else { continue }
        Self.collectTexts(&reader) { value in
          if !recording.take(value, of: frame.id) { values.add(value, frame.id, rank: rank) }
        }
      }
    }
    if let text = recording.text { values.add(.text(text), "TDRC", rank: rank) }
  }

  /// Returns whether the texts of a frame are used.
  private static func isText(_ id: String) -> Bool {
    switch id {
    case "UFID", "RVA2", "TXXX", "COMM", "USLT", "TYER", "TDAT", "TIME": true
    case "SYLT", "CHAP": false
    default: TagField(key: id) != nil
    }
  }

  /// Adds the texts of a frame, which zeros separate.
  private static func collectTexts(_ reader: inout ID3v2Reader, _ body: (TagValues.Value) -> Void) {
    for _ in 0..<Metadata.maximumValueCount where !reader.isEmpty { body(reader.text()) }
  }

  /// Adds the values of RVA2 (ID3v2.4, 4.11): a gain in units of 1/512 dB, and a peak with a stated number of bits.
  private static func collectVolume(_ reader: inout ID3v2Reader, into values: inout TagValues, rank: Int) {
    let name = reader.latinText()
    reader.skip(1)
    guard let volume = reader.number(bytes: 2), let bits = reader.number(bytes: 1) else { return }
    let gain = Double(Int16(truncatingIfNeeded: volume)) / 512
    values.add(.text("\(gain) dB"), "RVA2\(name)gain", rank: rank)
    let count = (bits + 7) / 8
    guard (1...7).contains(count), let peak = reader.number(bytes: count) else { return }
    values.add(.text("\(Double(peak) / Double(1 << (8 * count - 1)))"), "RVA2\(name)peak", rank: rank)
  }
}

/// The time of a recording, which versions before 2.4 state in three frames.
private struct RecordingTime {
  private var year: String?
  /// The day as `DDMM`, and the time as `HHMM`.
  private var day: String?
  private var time: String?

  /// Takes `value` if the frame `id` belongs to the time of the recording. Otherwise returns false.
  mutating func take(_ value: TagValues.Value, of id: String) -> Bool {
    guard ["TYER", "TDAT", "TIME"].contains(id) else { return false }
    guard let text = value.decodedText.map(TagText.cleaned), !text.isEmpty else { return true }
    switch id {
    case "TYER": year = year ?? text
    case "TDAT": day = day ?? text
    default: time = time ?? text
    }
    return true
  }

  /// The date in the form of version 2.4; nil without a year.
  var text: String? {
    guard let year else { return nil }
    guard year.utf8.count == 4, let day, Self.isNumber(day) else { return year }
    let date = "\(year)-\(day.suffix(2))-\(day.prefix(2))"
    guard let time, Self.isNumber(time) else { return date }
    return "\(date)T\(time.prefix(2)):\(time.suffix(2))"
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.count == 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
