internal import SegueWire
internal import SegueWorkerProtocol

/// A reference with identifiers, such as `$Number%05d$`, which are replaced for each segment.
struct ReferenceTemplate {
  private enum Part {
    case text(String)
    /// The numbers are padded with zeros to `width` digits.
    case number(width: Int)
    case time(width: Int)
  }

  private var parts: [Part] = []

  private static let maximumWidth = 32

  /// Creates the template of a representation, whose identifier and bandwidth are the same in all references. Throws if
  /// the references are too long.
  init(_ text: String, id: String, bandwidth: String) throws(Failure) {
    var size = 0
    for (index, part) in text.split(separator: "$", omittingEmptySubsequences: false).enumerated() {
      let next = index.isMultiple(of: 2) ? .text(String(part)) : Self.part(part, id: id, bandwidth: bandwidth)
      switch next {
      case .text(""): continue
      case .text(let text): size += text.utf8.count
      case .number(let width), .time(let width): size += max(width, 1)
      }
      guard size <= FetchRequest.maximumURLSize else { throw ReferenceResolver.longURL }
      parts.append(next)
    }
  }

  /// Returns the part that an identifier stands for, such as `Number%05d`.
  private static func part(_ identifier: Substring, id: String, bandwidth: String) -> Part {
    let (name, format) =
      identifier.firstIndex(of: "%").map { (identifier[..<$0], identifier[$0...]) } ?? (identifier, "")
    let width = min(Int(format.filter(\.isNumber)) ?? 0, maximumWidth)
    return switch name {
    case "": .text("$")
    case "RepresentationID": .text(id)
    case "Bandwidth": .text(padded(bandwidth, to: width))
    case "Number": .number(width: width)
    case "Time": .time(width: width)
    default: .text("$\(identifier)$")
    }
  }

  /// Returns the reference to the segment with this number and this time in ticks.
  func reference(number: Int64, time: Int64) -> String {
    var reference = ""
    for part in parts {
      switch part {
      case .text(let text): reference += text
      case .number(let width): reference += Self.padded(String(number), to: width)
      case .time(let width): reference += Self.padded(String(time), to: width)
      }
    }
    return reference
  }

  private static func padded(_ digits: String, to width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
