// On the thread "index" only.

extension LibraryWriter {
  /// Does a part of what `finishScan` left to do for the search, a few tens of milliseconds' worth: in a transaction of its
  /// own, so that others come in between. True while there is more.
  public func settleSearch() throws(StoreError) -> Bool { try settle() }
}
