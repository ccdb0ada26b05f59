internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The verb `folders`, which lists what a folder of the library contains.
enum FolderVerb {
  static let verb = Verb(
    "folders", aliases: ["browse"], .library, "[N|PATH]", 0...1, options: [.number], values: .first(.files),
    tr("list a folder of the library"),
    details: tr(
      """
      Lists the folders and the tracks in a folder, by default of the music folder,
      or the music folders if there are several. They are numbered, and the next
      command accepts the numbers. In a pipe, the fields are URI, “folder” or
      “track”, name, artist and duration, separated by tabs.

        segue folders
        segue folders 2                what the second folder contains
        segue add 1-3
        segue folders ~/Music/Jazz
      """), isLong: true, run: run)

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if !arguments.isEmpty {
      return try show(
        try context.uri(for: arguments), noMusicHint: tr("segue folders   lists the music folders"), context)
    }
    let folders = try context.call(LibraryStatusRequest()).value.folders
    // The only music folder is no choice: what it contains is what the user looks for.
    if folders.count == 1 {
      return try show(folders[0].uri, noMusicHint: tr("man segue.conf   says how to name music folders"), context)
    }
    let listed = folders.map { LibraryFolder(uri: $0.uri, offline: $0.state == .offline) }
    let contents = FolderContents(folders: listed, total: listed.count)
    if context.printsJSON { return context.print(encoded: contents) }
    let listing = FolderTable(context: context, showsPaths: true)
    listing.print(contents)
    listing.keepResults()
  }

  private static func show(_ uri: String, noMusicHint: String, _ context: VerbContext) throws(ClientError) {
    var pages: [JSON] = []
    var count = 0
    let listing = FolderTable(context: context, showsPaths: false)
    let style = context.style
    if style.isTerminal, !context.printsJSON {
      context.console.printLine(style.paint(style.fitted(displayURI(uri)), .bold))
    }
    while true {
      let page = try context.call(
        LibraryFolderRequest(uri: uri, offset: count), hints: [.notFound: [noMusicHint]])
      let contents = page.value
      let read = contents.folders.count + contents.tracks.count
      count += read
      if context.printsJSON { pages.append(page.json) } else { listing.print(contents) }
      guard try context.flush() else { return }
      if read == 0 || count >= contents.total { break }
    }
    if context.printsJSON { context.print(pages: pages, joining: ["folders", "tracks"]) }
    listing.keepResults()
  }
}

/// The list of folders and tracks as it is printed, a page after the other.
private final class FolderTable {
  private static let columns: [Table.Column] = [
    .number(minimumWidth: 1), .text(weight: 3), .text(weight: 2, dropOrder: 1), .number(minimumWidth: 4, dropOrder: 2),
  ]

  private let context: VerbContext
  /// Whether folders are shown with their whole paths instead of their names.
  private let showsPaths: Bool
  private let numbering: ResultNumbering?
  private var table: Table?

  init(context: VerbContext, showsPaths: Bool) {
    self.context = context
    self.showsPaths = showsPaths
    numbering = context.resultNumbering()
  }

  func print(_ contents: FolderContents) {
    let style = context.style
    guard style.isTerminal else {
      for folder in contents.folders { printFields([folder.uri, "folder", name(folder), "", ""], folder.uri) }
      for track in contents.tracks {
        let duration = durationText(track.duration, track.durationKind)
        printFields([track.uri, "track", track.title, track.artist, duration], track.uri)
      }
      return
    }
    let folders = contents.folders.map { folder in
      Table.Row(cells: ["", "\(name(folder))/", "", ""], paint: folder.offline ? .dim : .bold)
    }
    let tracks = contents.tracks.map { track in
      Table.Row(
        cells: [track.mark(style), track.title, track.artist, durationText(track.duration, track.durationKind)],
        paint: track.paint)
    }
    let items = contents.folders.map { ($0.uri, name($0)) } + contents.tracks.map { ($0.uri, $0.resultTitle(style)) }
    var rows = folders + tracks
    var columns = Self.columns
    if let numbering {
      columns.insert(.number(minimumWidth: 2), at: 1)
      for (index, item) in items.enumerated() {
        rows[index].cells.insert(String(numbering.number(item.0, item.1)), at: 1)
      }
    }
    if rows.isEmpty { return }
    let shown = table ?? Table(columns, first: rows, style: style)
    table = shown
    for row in rows { context.console.printLine(shown.line(row)) }
  }

  private func printFields(_ fields: [String], _ uri: String) {
    let number = numbering.map { ["\($0.number(uri, fields[2]))"] } ?? []
    context.console.printLine((number + fields.map(\.visible)).joined(separator: "\t"))
  }

  func keepResults() { context.keep(numbering) }

  private func name(_ folder: LibraryFolder) -> String {
    guard !showsPaths, let path = FileURI.decode(folder.uri) else { return displayURI(folder.uri) }
    return String(decoding: path.lastComponent, as: UTF8.self).visible
  }
}
