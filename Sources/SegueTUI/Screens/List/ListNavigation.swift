internal import SegueClientKit
internal import SegueSystem

/// The focus, the selection and the filter of a list that is read in pages.
struct ListNavigation<Element: ListElement> {
  /// The focused row and the first row on the screen.
  private(set) var scrolling = ListScrolling()
  /// The identifier of the focused element, by which it is found again when the list changes.
  private var focusedID: Element.ID?
  /// The version of the list in which the focus was last put on its element.
  private var version: UInt64 = 0
  var selection = ListSelection<Element>()
  /// The version of the list in which all selected elements were known to exist.
  private var selectionVersion: UInt64?
  private(set) var filter: ListFilter<Element>?
  /// The place in the list at which the filter was started.
  private var origin = Place()
  /// The number of filters so far, which distinguishes responses.
  private var filterCount = 0

  /// A place in the list: the rows on the screen, and the focused element.
  private struct Place {
    var scrolling = ListScrolling()
    var focusedID: Element.ID?
  }

  var takesText: Bool { filter?.isEditing ?? false }

  // MARK: Rows

  /// Returns the number of rows: of the list, or of those that match the filter.
  func count(_ window: ListWindow<Element>) -> Int { filter?.matches.count ?? window.length }

  /// Returns the element of a row; nil if it is not loaded.
  func element(at row: Int, _ window: ListWindow<Element>) -> Element? {
    guard let filter else { return window.element(at: row) }
    return filter.matches.indices.contains(row) ? filter.matches[row].element : nil
  }

  /// Returns the index in the list of the element of a row.
  func index(ofRow row: Int) -> Int {
    guard let filter else { return row }
    return filter.matches.indices.contains(row) ? filter.matches[row].index : row
  }

  func focused(_ window: ListWindow<Element>) -> Element? { element(at: scrolling.focus, window) }

  /// Whether a command applies to the selected elements.
  func appliesToSelection(_ command: Command) -> Bool {
    !selection.isEmpty && !Command.onFocusedRow.contains(command)
  }

  /// Returns whether a command applies to the focused element, which has not arrived yet.
  func isWaiting(for command: Command, _ window: ListWindow<Element>) -> Bool {
    guard !appliesToSelection(command), focused(window) == nil else { return false }
    if let filter { return filter.failure == nil && filter.isReading(of: window) }
    return !window.isCurrent(scrolling.focus..<scrolling.focus + 1)
  }

  /// Returns the elements to which a command applies: the selected ones, or the focused one. The selected ones are
  /// those that are loaded, or else as they were when they were selected.
  func targets(of command: Command, _ window: ListWindow<Element>) -> [Element] {
    guard appliesToSelection(command) else { return focused(window).map { [$0] } ?? [] }
    var loaded = window.loadedElements
    for match in filter?.matches ?? [] { loaded[match.element.id] = match.element }
    return selection.elements.map { loaded[$0.id] ?? $0 }
  }

  /// Deselects the elements to which a call has applied, by their URIs, unless others are selected meanwhile.
  mutating func deselect(_ uris: [String]) {
    let uris = Set(uris)
    if uris.isSubset(of: selection.elements.map(\.uri)) { selection.keep { !uris.contains($0.uri) } }
  }

  // MARK: Focus and selection

  /// Performs a command of navigation. Returns false for any other command.
  mutating func perform(_ command: Command, _ window: ListWindow<Element>) -> Bool {
    guard scrolling.perform(command, count: count(window)) else { return false }
    focusedID = focused(window)?.id
    return true
  }

  /// Ends the filter, and shows a row of the list in the middle of the screen.
  mutating func center(on row: Int, _ id: Element.ID?) {
    if filter != nil { endFilter() }
    scrolling.center(on: row)
    focusedID = id
  }

  /// Selects the focused element, or deselects it, and moves the focus down.
  mutating func toggleSelection(_ window: ListWindow<Element>) {
    guard let element = focused(window) else { return }
    selection.toggle(element)
    _ = perform(.down, window)
  }

  /// Focuses a row because of a click. Returns whether a double click opens the element: the first press has focused
  /// it, which may not be so if the list has changed since then.
  mutating func click(row: Int, isDouble: Bool, _ window: ListWindow<Element>) -> Bool {
    let before = focusedID
    scrolling.focus(on: row)
    focusedID = focused(window)?.id
    filter?.isEditing = false
    return isDouble && focusedID != nil && focusedID == before
  }

  mutating func scroll(by rows: Int, _ window: ListWindow<Element>) {
    scrolling.scroll(by: rows, count: count(window))
    focusedID = focused(window)?.id
  }

  mutating func scroll(to fraction: Double, _ window: ListWindow<Element>) {
    scrolling.scroll(to: fraction, count: count(window))
    focusedID = focused(window)?.id
  }

  // MARK: Filter

  mutating func startFilter() {
    if filter == nil {
      filterCount += 1
      origin = Place(scrolling: scrolling, focusedID: focusedID)
      filter = ListFilter(number: filterCount)
      focusFirstMatch()
    }
    filter?.isEditing = true
  }

  private mutating func focusFirstMatch() {
    scrolling = ListScrolling()
    focusedID = nil
  }

  /// Ends the filter. The focus stays on the same element, which is at its index in the list. If there is none, or
  /// nothing was searched for, the list is displayed as before the filter.
  mutating func endFilter() {
    guard let filter else { return }
    self.filter = nil
    let isUnused = filter.field.isEmpty && scrolling.focus == 0
    if !isUnused, filter.matches.indices.contains(scrolling.focus) {
      scrolling.center(on: filter.matches[scrolling.focus].index)
    } else {
      (scrolling, focusedID) = (origin.scrolling, origin.focusedID)
    }
  }

  /// Ends the filter, or else deselects everything.
  mutating func cancel() {
    if filter != nil { endFilter() } else { selection.removeAll() }
  }

  /// Handles a key while the text of the filter is edited. Returns false if the key has no function in the text.
  mutating func type(_ key: Key) -> Bool {
    guard var edited = filter else { return false }
    switch key.code {
    case .enter:
      if edited.field.isEmpty { endFilter() } else { filter?.isEditing = false }
      return true
    case .escape:
      endFilter()
      return true
    case .up, .down, .pageUp, .pageDown: return false
    default: break
    }
    guard edited.edit({ $0.handle(key) }) else { return false }
    replaceFilter(edited)
    return true
  }

  mutating func paste(_ text: String) {
    guard var edited = filter else { return }
    _ = edited.edit { field in
      field.insert(text)
      return true
    }
    replaceFilter(edited)
  }

  private mutating func replaceFilter(_ edited: ListFilter<Element>) {
    if edited.field.text != filter?.field.text { focusFirstMatch() }
    filter = edited
  }

  /// Takes over elements that the filter has requested.
  mutating func receive(_ elements: [Element], at offset: Int, filter number: Int) {
    if filter?.number == number { filter?.receive(elements, at: offset) }
  }

  /// Interrupts the reading of the filter, because a request has failed.
  mutating func fail(filter number: Int, _ error: ClientError, at now: MonotonicTime) {
    if filter?.number == number { filter?.fail(error, at: now) }
  }

  mutating func disconnect() { filter?.disconnect() }

  /// The time at which the list is read again for the filter; nil if that is not necessary.
  var nextChange: MonotonicTime? { filter?.nextReading }

  /// Removes elements that have left the list from the selection and from the matches of the filter.
  mutating func remove(where isRemoved: (Element) -> Bool) {
    selection.keep { !isRemoved($0) }
    filter?.remove(where: isRemoved)
  }

  /// Returns whether the focus stands on the element that the user sees: the screen shows the current version of the
  /// list, and if `needsElement` is true, the focused element, too. Matches of a filter may be of an earlier version,
  /// unless they are identified by their places in the list.
  func isSettled(_ window: ListWindow<Element>, needsElement: Bool) -> Bool {
    if let filter { return filter.isCurrent(window) || filter.matches.first?.element.isIdentifiedByPlace != true }
    guard version == window.version else { return false }
    return !needsElement || window.isCurrent(scrolling.focus..<scrolling.focus + 1)
  }

  // MARK: Preparation

  /// Deselects elements that have left the list. That is known only while the whole list is loaded.
  private mutating func pruneSelection(_ window: ListWindow<Element>) {
    guard !selection.isEmpty, selectionVersion != window.version, window.isCurrent(0..<window.length) else { return }
    selectionVersion = window.version
    selection.keep { window.loadedIndex(of: $0.id) != nil }
  }

  /// Returns how many elements of a list fit on the screen from a row on, if other rows stand between them.
  typealias Capacity = (Int, ListWindow<Element>) -> Int

  /// Moves the focus into the list, of which at most `height` elements are displayed, `stride` of them beside each
  /// other, and not more than `capacity`.
  mutating func fit(
    _ window: ListWindow<Element>, height: Int, stride: Int = 1, capacity: Capacity? = nil
  ) {
    // The matches of a filter have no other rows between them.
    guard let capacity, filter == nil else {
      return scrolling.fit(count: count(window), height: height, stride: stride)
    }
    scrolling.fit(count: count(window), height: height) { capacity($0, window) }
  }

  /// Adapts focus and screen to the list after an event. Returns what has to be requested for `height` rows.
  mutating func prepare(
    _ window: inout ListWindow<Element>, height: Int, stride: Int = 1, at now: MonotonicTime, capacity: Capacity? = nil
  ) -> [ListRead] {
    pruneSelection(window)
    let read = filter?.nextRead(of: window, at: now)
    if filter == nil, version != window.version, let id = focusedID, let index = window.loadedIndex(of: id) {
      scrolling.follow(to: index)
    }
    if let filter, let id = focusedID, focused(window)?.id != id,
      let index = filter.matches.firstIndex(where: { $0.element.id == id })
    {
      scrolling.follow(to: index)
    }
    fit(window, height: height, stride: stride, capacity: capacity)
    if filter != nil {
      focusedID = focused(window)?.id
      return read.map { [$0] } ?? []
    }
    let range = scrolling.top..<scrolling.top + height
    // The screens before and after this one are read as well, so that a key shows them at once.
    let pages = window.pagesToLoad(range.lowerBound - height..<range.upperBound + height, at: now)
    if window.isCurrent(range) {
      version = window.version
      if let id = focused(window)?.id { focusedID = id }
    }
    return pages.map(ListRead.page)
  }
}
