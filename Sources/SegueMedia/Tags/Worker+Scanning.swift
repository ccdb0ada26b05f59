// Decoding thread only; see Worker.swift.
internal import SegueLink
internal import SegueSystem
internal import SegueWire

extension Worker {
  func scan(_ ticket: UInt32, _ files: [(name: String, file: SourceFile)]) {
    for (name, file) in files { report(.scanned(ticket: ticket, [look(into: file, name)])) }
  }

  func lyrics(_ ticket: UInt32, _ name: String, _ file: SourceFile) {
    report(.lyrics(ticket: ticket, nil))
  }

  func cover(_ ticket: UInt32, _ name: String, _ file: SourceFile, _ target: SharedFile) {
    report(.cover(ticket: ticket, nil))
  }

  func collate(_ ticket: UInt32, _ texts: [String]) {
    report(.collated(ticket: ticket, texts.map { Array($0.utf8.prefix(SortKeys.longest)) }, collation: "bytes"))
  }

  private func look(into file: SourceFile, _ name: String) -> ScanResult {
    do throws(MediaError) {
      let track = try MediaTrack.open(MediaSource(name: name), file: file, start: .zero, inbox: inbox)
      return .facts(
        FileFacts(
          info: track.info, details: TagDetails(), sortKeys: SortKeys(title: Array(name.utf8.prefix(64))),
          hasCover: false, hasLyrics: false, chapters: []))
    } catch {
      switch error {
      case .failed(let failure): return .failed(failure)
      case .interrupted: return .failed(Failure(.unavailable, "interrupted"))
      }
    }
  }
}
