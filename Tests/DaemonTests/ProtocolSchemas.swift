import SegueSystem
import SegueWire

/// A validator for the subset of JSON Schema that the document uses. It is stricter: an object has no other members.
struct SchemaValidator {
  private let document: JSON

  init(_ document: JSON) { self.document = document }

  /// Returns what is wrong with `value`, and where, or nil if it is valid.
  func complaint(_ value: JSON, _ schema: JSON, at place: String) -> String? {
    if let reference = schema["$ref"]?.string {
      let name = String(reference.dropFirst("#/components/schemas/".count))
      guard let target = document["components"]?["schemas"]?[name] else { return "\(reference) leads nowhere" }
      return complaint(value, target, at: place)
    }
    if let alternatives = schema["anyOf"]?.elements {
      let complaints = alternatives.map { complaint(value, $0, at: place) }
      return complaints.contains(nil) ? nil : complaints.compactMap(\.self).joined(separator: "; ")
    }
    if let words = schema["enum"]?.elements {
      return words.contains { $0.string == value.string } ? nil : "\(place) is no word of its enumeration"
    }
    switch schema["type"]?.string {
    case "null": return value.isNull ? nil : "\(place) is not null"
    case "string": return value.kind == .string ? nil : "\(place) is no string"
    case "boolean": return value.kind == .bool ? nil : "\(place) is no boolean"
    case "integer", "number":
      guard let number = value.double, schema["type"]?.string == "number" || value.integer != nil else {
        return "\(place) is no number"
      }
      if let least = schema["minimum"]?.double, number < least { return "\(place) is too small" }
      if let most = schema["maximum"]?.double, number > most { return "\(place) is too large" }
      return nil
    case "array":
      guard let elements = value.elements, let items = schema["items"] else { return "\(place) is no array" }
      return elements.lazy.compactMap { complaint($0, items, at: place + "[]") }.first
    case "object": return complaint(object: value, schema, at: place)
    default: return "\(place) has a schema without a type"
    }
  }

  private func complaint(object value: JSON, _ schema: JSON, at place: String) -> String? {
    guard value.kind == .object, let properties = schema["properties"] else { return "\(place) is no object" }
    for name in schema["required"]?.elements?.compactMap(\.string) ?? [] where value[name] == nil {
      return "\(place).\(name) is missing"
    }
    for name in value.names {
      guard let member = value[name], let property = properties[name] else { return "\(place).\(name) is not named" }
      if let complaint = complaint(member, property, at: "\(place).\(name)") { return complaint }
    }
    return nil
  }
}

/// The objects of the protocol with a value in every member.
enum FilledObjects {
  static var all: [(name: String, text: String)] {
    var metadata = Metadata()
    metadata.title = "t"
    metadata.artist = "a"
    metadata.artists = ["a"]
    metadata.album = "b"
    metadata.albumArtist = "c"
    metadata.composer = "d"
    metadata.genre = ["e"]
    metadata.date = "1999-03-01"
    metadata.year = 1999
    metadata.track = 1
    metadata.trackTotal = 2
    metadata.disc = 1
    metadata.discTotal = 1
    metadata.art = "file:///a"
    metadata.stream = "s"
    let track = Track(
      id: 1, index: 0, uri: "file:///t", duration: .seconds(2.5), durationKind: .estimated,
      metadata: metadata, favorite: true, error: "e", errorKind: .damaged)
    var output = Output()
    output.state = .open
    output.device = "d"
    output.sampleRate = 44_100
    output.channels = 2
    output.format = "s16le"
    output.latency = .milliseconds(100)
    output.error = "e"
    let audio = Audio(
      codec: "flac", container: "flac", sampleRate: 44_100, channels: 2, bitDepth: 16, bitRate: 900_000, lossless: true,
      gapless: .exact)
    let status = Status(
      state: .playing, position: .seconds(1), duration: .seconds(2.5), durationKind: .estimated,
      monotonic: .now, rate: 1, track: track, index: 0, length: 1, version: 7, volume: 50, muted: true,
      repeatMode: .one, shuffle: .albums, consume: true, sleep: .seconds(MediaTime.seconds(60)), output: output,
      audio: audio)
    let device = OutputDevice(
      name: "n", description: "d", isDefault: true, isCurrent: true, sampleRate: 48_000, channels: 2, format: "s16le")
    let added = AddResult(
      added: [1], failed: URIFailureList([.init(uri: "file:///x", failure: Failure(.notFound, "no such file"))]),
      version: 8)
    return [
      ("Track", text(track)), ("Metadata", text(metadata)), ("Status", text(status)), ("Output", text(output)),
      ("Audio", text(audio)), ("Sleep", text(Sleep.after(.album))), ("OutputList", text(OutputList(outputs: [device]))),
      (
        "Lyrics",
        text(Lyrics(uri: "file:///t", source: .file, text: "t", lines: [.init(time: .seconds(1), text: "t")]))
      ), ("Art", text(Art(path: "/a.png", uri: "file:///a.png", width: 500, height: 400))),
      ("QueuePage", text(QueuePage(tracks: [track], total: 1, offset: 0, version: 7))), ("AddResult", text(added)),
    ]
  }

  private static func text(_ value: some JSONEncodable) -> String {
    var json = JSONWriter()
    value.encode(into: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
