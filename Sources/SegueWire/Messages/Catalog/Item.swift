extension Item.Kind {
  /// The word for several items of the kind, such as `films`.
  public var plural: String {
    switch self {
    case .person: "people"
    case .song, .album, .artist, .film, .audiobook, .podcast, .episode, .station: rawValue + "s"
    }
  }
}

extension Item.Fact {
  public init(_ name: Name, _ value: String) { self.init(name: name, value: value) }
}
