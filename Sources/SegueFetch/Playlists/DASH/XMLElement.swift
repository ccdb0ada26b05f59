internal import SegueFiles

/// An element of an XML document, with its children.
final class XMLElement {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [XMLElement] = []
  /// The text between the children.
  fileprivate(set) var text: [UInt8] = []

  init(_ name: String, _ attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// Returns the children with this name.
  func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// Returns the first child with this name.
  func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The maximum number of elements of a document.
  static let maximumCount = 20_000

  /// Reads a document. Returns its outermost element. Throws if it is malformed, or if it has more than `maximumCount`
  /// elements.
  static func read(_ bytes: [UInt8]) throws(XMLReader.XMLError) -> XMLElement? {
    let tree = Tree()
    guard let reader = XMLReader(tree) else { return nil }
    tree.reader = reader
    try reader.read(bytes)
    return tree.isTooLarge ? nil : tree.root
  }

  private final class Tree: XMLHandler {
    weak var reader: XMLReader?
    private(set) var root: XMLElement?
    private(set) var isTooLarge = false
    /// The open elements, beginning with the outermost one.
    private var path: [XMLElement] = []
    private var count = 0
    /// The maximum text of an element in bytes.
    private static let maximumTextSize = 16 * 1024

    func begin(_ name: String, _ attributes: [String: String]) {
      count += 1
      if count > XMLElement.maximumCount {
        isTooLarge = true
        reader?.stop()
      }
      let element = XMLElement(name, attributes)
      if let parent = path.last { parent.children.append(element) } else { root = element }
      path.append(element)
    }

    func append(_ text: UnsafeRawBufferPointer) {
      guard let element = path.last, element.text.count + text.count <= Self.maximumTextSize else { return }
      element.text += text
    }

    func end() { path.removeLast() }
  }
}
