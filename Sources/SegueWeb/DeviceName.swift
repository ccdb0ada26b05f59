/// The name of a browser in the list of devices, from its header `User-Agent`.
enum DeviceName {
  private static let browsers = [
    ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("Edg", "Edge"), ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
  ]
  private static let systems = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
  ]

  /// Returns a name such as "Firefox on Android".
  static func name(of userAgent: String?) -> String {
    let text = userAgent ?? ""
    let browser = browsers.first { text.contains($0.0) }?.1 ?? "a browser"
    guard let system = systems.first(where: { text.contains($0.0) })?.1 else { return browser }
    return "\(browser) on \(system)"
  }
}
