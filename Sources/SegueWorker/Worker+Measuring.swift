// Decoding thread only; see Worker.swift.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueWire

extension Worker {
  /// Decodes all of it; the daemon ends the worker if it does not want to wait.
  func measure(_ ticket: UInt32, _ source: MediaSource, _ file: SourceFile?, isFirst: Bool) {
    if isFirst { measured = [] }
    let meter = LoudnessMeter()
    do throws(MediaError) {
      let track = try MediaTrack.open(source, file: file, start: .zero, inbox: inbox)
      while try add(track.next(), to: meter) {}
      measured.append(meter)
      report(.measured(ticket: ticket, LoudnessMeter.gain(of: measured)))
    } catch {
      report(.failedProbe(ticket: ticket, error.failure))
    }
  }

  /// False at the end.
  private func add(_ piece: MediaTrack.Piece, to meter: LoudnessMeter) throws(MediaError) -> Bool {
    switch piece {
    case .pcm(let format, _, let bytes):
      if meter.add(format, bytes) { return true }
      throw .failed(
        Failure(.unplayable, "no loudness can be measured of \(format.channels.count) channels at \(format.rate)"))
    case .title: return true
    case .end: return false
    }
  }
}
