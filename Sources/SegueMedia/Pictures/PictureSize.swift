/// In pixels, at least 1 each.
struct PictureSize: Equatable {
  var width: Int
  var height: Int

  /// As large as goes into a square of `edge`, in the same proportions; never larger than it is.
  func fitted(into edge: Int) -> PictureSize {
    let longer = max(width, height)
    guard longer > edge else { return self }
    return PictureSize(
      width: max(1, (width * edge + longer / 2) / longer), height: max(1, (height * edge + longer / 2) / longer))
  }
}
