extension Art.Size {
  /// The maximum length of the longer side, in pixels; nil if there is no limit.
  public var edge: Int? {
    switch self {
    case .small: 128
    case .medium: 500
    case .full: nil
    }
  }
}
