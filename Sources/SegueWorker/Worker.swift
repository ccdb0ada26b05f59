// The worker process has one thread, this one. It owns everything here. It may block in three places only: in `sleep`,
// in a read of the network (which `CommandInbox` interrupts), and in a read of a file.
internal import Glibc
internal import SegueFFmpeg
public import SegueLink
internal import SegueRing
internal import SegueSystem
internal import SegueTags
internal import SegueWire

/// Carries out the daemon's orders until the daemon goes.
public final class Worker {
  private let link: LinkSocket
  private let lacking: Set<SandboxMechanism>
  let inbox: CommandInbox
  /// What the library is told of files.
  let survey: FileScanner
  var output: RingOutput?
  /// What is being decoded, and what waits for its end.
  var current: DecodeJob?
  var following: DecodeJob?
  /// What of it was rendered and is not in the ring yet.
  let line = RenderBuffer()
  /// What renders it. It stays from track to track for as long as they have one format: their joints are rendered too.
  var resampler: Resampler?
  /// The last that was rendered to its end: what it was, and what became of it.
  var renderedLast: (generation: Generation, source: AudioFormat, target: AudioFormat)?
  /// The tracks of an album that is being measured.
  var measured: [LoudnessMeter] = []

  /// `lacking`: the locks it could not be put behind, for the daemon to know.
  public init(_ link: LinkSocket, lacking: Set<SandboxMechanism>) {
    self.link = link
    self.lacking = lacking
    inbox = CommandInbox(link)
    let inbox = inbox
    // A decoder that could decode no packet may still return delay at the end. Therefore the first audio is decoded.
    survey = FileScanner { (file, name) throws(MediaError) in
      let track = try MediaTrack.open(MediaSource(name: name), file: file, start: .zero, inbox: inbox)
      _ = try track.next()
      return (track.info, track.demuxer)
    }
  }

  /// Returns when the daemon has closed its end.
  public func run() {
    report(.ready(lacking: lacking))
    while true {
      inbox.collect()
      while let order = inbox.next() { carryOut(order) }
      if inbox.isClosed { return }
      switch work() {
      case .busy: break
      case .idle: sleep(onRing: false)
      case .filled: sleep(onRing: true)
      case .awaiting(let moment): sleep(onRing: false, until: moment)
      }
    }
  }

  private func carryOut(_ order: CommandInbox.Item) {
    switch order {
    case .ring(let ring):
      output = RingOutput(ring)
    case .open(let generation, let source, let file, let start):
      output?.startAnew()
      dropRendered()
      current = DecodeJob(generation, source, file, start: start)
      following = nil
    case .follow(let generation, let source, let file, let after, let start):
      let deck = DecodeJob(generation, source, file, start: start)
      if current?.generation == after {
        following = deck
      } else {
        dropRendered()
        if renderedLast?.generation == after { deck.before = renderedLast }
        current = deck
        following = nil
      }
    case .halt:
      dropRendered()
      current = nil
      following = nil
    case .probe(let ticket, let source, let file):
      probe(ticket, source, file)
    case .scan(let ticket, let files):
      scan(ticket, files)
    case .lyrics(let ticket, let name, let file):
      lyrics(ticket, name, file)
    case .cover(let ticket, let name, let wish, let file, let target):
      cover(ticket, name, wish, file, target)
    case .measure(let ticket, let source, let file, let isFirst):
      measure(ticket, source, file, isFirst: isFirst)
    case .collate(let ticket, let texts):
      collate(ticket, texts)
    case .transcode(let ticket, let file, let target):
      transcode(ticket, file, target)
    }
  }

  private func probe(_ ticket: UInt32, _ source: MediaSource, _ file: SourceFile?) {
    do throws(MediaError) {
      let track = try MediaTrack.open(source, file: file, start: .zero, inbox: inbox)
      // All that is decoded may be delay, as in FileScanner.
      if file != nil, source.isWhole { _ = try track.next() }
      report(.probed(ticket: ticket, track.info))
    } catch {
      report(.failedProbe(ticket: ticket, error.failure))
    }
  }

  func report(_ report: WorkerEvent) {
    do {
      try link.send(report)
    } catch {
      // The daemon is gone; `run` will see that its socket closed.
      Log.debug("\(error)")
    }
  }

  /// Waits for an order or, if `onRing`, until the consumer has made room; until `moment` at most, if there is one.
  private func sleep(onRing: Bool, until moment: MonotonicTime? = nil) {
    var waiting = [pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0)]
    if onRing, let output {
      output.signal()
      guard output.prepareToSleep() else { return }
      waiting.append(pollfd(fd: output.ring.space.raw, events: Int16(POLLIN), revents: 0))
    }
    let left = moment.map { max(0, ($0 - .now).nanoseconds) / 1_000_000 + 1 }
    poll(&waiting, nfds_t(waiting.count), left.map { Int32(clamping: $0) } ?? -1)
    if onRing { output?.wake() }
  }
}
