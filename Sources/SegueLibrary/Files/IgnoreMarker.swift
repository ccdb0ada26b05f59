/// A file that asks for its folder to be left alone.
enum IgnoreMarker {
  static func isOne(_ name: some Sequence<UInt8>) -> Bool {
    name.elementsEqual(".nomedia".utf8) || name.elementsEqual(".ignore".utf8)
  }
}
