internal import CExpat
public import SegueWire

/// A receiver of the elements of an XML document.
public protocol XMLHandler: AnyObject {
  /// Handles the start of an element. `name` and the names of `attributes` have no prefix of a namespace.
  func begin(_ name: String, _ attributes: [String: String])
  /// Handles a part of the text of the current element, in UTF-8.
  func append(_ text: UnsafeRawBufferPointer)
  /// Handles the end of the current element.
  func end()
}

/// A reader of an XML document in one piece. It refuses documents that declare entities or default values of
/// attributes, which would make a small document large. Playlists have no such declarations.
public final class XMLReader {
  /// The reason why a document cannot be read.
  public struct XMLError: Error {
    /// The line, from 1.
    public let line: Int
    public let reason: LocalizableMessage
  }

  private let parser: XML_Parser
  private unowned let handler: any XMLHandler
  private var depth = 0
  private var isStopped = false
  /// The reason why the document is refused; nil if it is not.
  private var refusal: LocalizableMessage?

  /// The maximum depth of elements. Playlists have less, and every level takes memory, here and in Expat.
  private static let maximumDepth = 64

  /// The messages of Expat that users may see, as clients translate them.
  private static let messages: [LocalizableMessage] = [
    LocalizableMessage("out of memory"), LocalizableMessage("syntax error"), LocalizableMessage("no element found"),
    LocalizableMessage("not well-formed (invalid token)"), LocalizableMessage("unclosed token"),
    LocalizableMessage("mismatched tag"), LocalizableMessage("duplicate attribute"),
    LocalizableMessage("junk after document element"), LocalizableMessage("undefined entity"),
    LocalizableMessage("unknown encoding"), LocalizableMessage("unclosed CDATA section"),
    LocalizableMessage("encoding specified in XML declaration is incorrect"),
    LocalizableMessage("XML or text declaration not at start of entity"),
  ]

  /// Creates a reader that reports to `handler`, which must outlive it. Returns nil if memory is exhausted.
  public init?(_ handler: any XMLHandler) {
    guard let parser = XML_ParserCreate(nil) else { return nil }
    self.parser = parser
    self.handler = handler
    // Proof: unretained, because the reader frees the parser.
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(parser, xmlStartElement, xmlEndElement)
    XML_SetCharacterDataHandler(parser, xmlCharacterData)
    XML_SetStartDoctypeDeclHandler(parser, xmlStartDoctype)
  }

  deinit { XML_ParserFree(parser) }

  /// The current line, from 1.
  public var line: Int { Int(segue_xml_line(parser)) }

  /// Reads a document. Throws if it is malformed or refused.
  public func read(_ bytes: [UInt8]) throws(XMLError) {
    let status = bytes.withUnsafeBytes { buffer in
      XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
    }
    guard status != XML_STATUS_OK, !isStopped else { return }
    let text = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
    let reason = refusal ?? text.map { .known($0, in: Self.messages) } ?? LocalizableMessage("not XML")
    throw XMLError(line: line, reason: reason)
  }

  /// Reads no further, for example because the handler has everything that it needs.
  public func stop() {
    isStopped = true
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  fileprivate func begin(_ name: String, _ attributes: [String: String]) {
    depth += 1
    guard depth <= Self.maximumDepth else { return refuse(LocalizableMessage("elements are nested too deeply")) }
    handler.begin(name, attributes)
  }

  fileprivate func refuse(_ reason: LocalizableMessage) {
    refusal = reason
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  fileprivate func append(_ text: UnsafeRawBufferPointer) { handler.append(text) }

  fileprivate func end() {
    depth -= 1
    handler.end()
  }
}

private nonisolated func xmlReader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
  context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
}

/// Returns a name without the prefix to which its namespace is bound. Elements of the same name in other namespaces do
/// not occur in practice.
private nonisolated func localName(_ name: UnsafePointer<CChar>) -> String {
  let full = String(cString: name)
  return full.lastIndex(of: ":").map { String(full[full.index(after: $0)...]) } ?? full
}

private nonisolated func xmlStartElement(
  _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
  guard let reader = xmlReader(context), let name else { return }
  var values: [String: String] = [:]
  // The names and values alternate, and a null pointer ends them.
  var next = attributes
  while let pair = next, let key = pair[0], let value = pair[1] {
    values[localName(key)] = String(cString: value)
    next = pair + 2
  }
  reader.begin(localName(name), values)
}

private nonisolated func xmlEndElement(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
  xmlReader(context)?.end()
}

private nonisolated func xmlStartDoctype(
  _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ system: UnsafePointer<CChar>?,
  _ publicName: UnsafePointer<CChar>?, _ hasDeclarations: Int32
) {
  if hasDeclarations != 0 { xmlReader(context)?.refuse(LocalizableMessage("it declares entities or attributes")) }
}

private nonisolated func xmlCharacterData(
  _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int32
) {
  guard let text else { return }
  xmlReader(context)?.append(UnsafeRawBufferPointer(start: text, count: Int(count)))
}
