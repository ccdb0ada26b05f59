public import SegueSystem

/// The responses of catalogues in the folder CatalogSamples. They are made up.
public enum CatalogSample {
  /// Returns the text of a file.
  /// - Parameter port: The port of the server on the loopback interface that the URLs in the text refer to.
  public static func text(_ name: String, port: UInt16) throws(SystemError) -> String {
    let path = Repository.root.appending("Tests/SegueTestKit/CatalogSamples").appending(name)
    let bytes = try SmallFile.read(path, upTo: 1 << 20)
    return String(decoding: bytes, as: UTF8.self).replacing("{{PORT}}", with: String(port))
  }

  /// A chart with one album, whose artist has a page.
  public static let albumChart = """
    {"feed":{"entry":[{"im:name":{"label":"Album"},"id":{"attributes":{"im:id":"6"}},"im:artist":{"label":"Artist",
    "attributes":{"href":"https://music.example/artist/name/7"}}}]}}
    """
}
