// Thread: the loop.

internal import SegueLibrary
internal import SegueLink
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// Looks into files through workers of their own, so that one that kills a demuxer costs nobody else anything.
///
/// Requests are answered in any order. Each worker has a few of them at once, to be busy while the next file is opened;
/// one that dies or hangs costs the file it was at, the rest is asked again of another.
@MainActor
final class Prober {
  typealias Answer = Result<MediaInfo, Failure>

  @MainActor
  private struct Request {
    enum Question {
      case info(@MainActor (Answer) -> Void)
      case lyrics(@MainActor (Result<String?, Failure>) -> Void)
      case cover(ArtLookup, @MainActor (Result<CoverInfo?, Failure>) -> Void)
    }

    let uri: String
    let question: Question
    /// Workers that somebody else killed while they were at it.
    var kills = 0

    func order(_ ticket: UInt32, _ source: MediaSource) -> WorkerCommand {
      switch question {
      case .info: .probe(ticket: ticket, source)
      case .lyrics: .lyrics(ticket: ticket, name: source.name)
      case .cover(let question, _): .cover(ticket: ticket, name: source.name, question.wish)
      }
    }

    /// What a worker needs beside the file.
    var target: Int32? {
      if case .cover(let question, _) = question { question.target.raw } else { nil }
    }

    func fail(_ failure: Failure) {
      switch question {
      case .info(let then): then(.failure(failure))
      case .lyrics(let then): then(.failure(failure))
      case .cover(_, let then): then(.failure(failure))
      }
    }

    /// False if `report` answers something else.
    func take(_ report: WorkerEvent) -> Bool {
      switch (question, report) {
      case (.info(let then), .probed(_, let info)): then(.success(info))
      case (.lyrics(let then), .lyrics(_, let text)): then(.success(text))
      case (.cover(_, let then), .cover(_, let cover)): then(.success(cover))
      case (_, .failedProbe(_, let failure)): fail(failure)
      default: return false
      }
      return true
    }
  }

  /// A worker and what it has not answered yet, in the order it was asked.
  private final class Post {
    let worker: WorkerProcess
    var asked: [(ticket: UInt32, request: Request)] = []
    /// Requests whose file is still being opened.
    var opening = 0
    /// When it began with the first of `asked`.
    var begun = MonotonicTime.now

    init(_ worker: WorkerProcess) { self.worker = worker }

    var load: Int { asked.count + opening }
  }

  private let loop: EventLoop
  private let pool: WorkerPool
  private let opener: MediaOpener
  private var watch: Timer?
  private var waiting = FIFO<Request>()
  private var posts: [Post] = []
  private var lastTicket: UInt32 = 0
  /// Workers in a row that ended before they came up.
  private var failedStarts = 0

  private static let mostWorkers = 2
  private static let mostAtOnce = 8
  private static let mostFailedStarts = 3
  /// Somebody who kills workers, or a kernel short of memory, seldom hits one file so often.
  private static let mostKills = 3
  /// A file that takes longer to look into is given up.
  private static let patience = MediaTime.seconds(5)

  init(loop: EventLoop, pool: WorkerPool, opener: MediaOpener) throws(SystemError) {
    self.loop = loop
    self.pool = pool
    self.opener = opener
    watch = try Timer(on: loop, slack: .milliseconds(500)) { [weak self] in self?.endTheHung() }
  }

  func probe(_ uri: String, then: @escaping @MainActor (Answer) -> Void) {
    waiting.append(Request(uri: uri, question: .info(then)))
    assign()
  }

  /// The lyrics inside the file at `uri`, or those that an `.lrc` file is: plain or with the times of LRC; nil if it has
  /// none.
  func lyrics(_ uri: String, then: @escaping @MainActor (Result<String?, Failure>) -> Void) {
    waiting.append(Request(uri: uri, question: .lyrics(then)))
    assign()
  }

  /// The picture that is asked for, put into `question.target`; nil if there is none.
  func cover(_ question: ArtLookup, then: @escaping @MainActor (Result<CoverInfo?, Failure>) -> Void) {
    waiting.append(Request(uri: FileURI.encode(question.file.path), question: .cover(question, then)))
    assign()
  }

  private func assign() {
    while !waiting.isEmpty {
      guard let post = freePost() else { return }
      guard let request = waiting.popFirst() else { return }
      if case .cover(let question, _) = request.question {
        let source = MediaSource(name: String(decoding: question.file.path.lastComponent, as: UTF8.self))
        ask(post, request, .success(OpenedMedia(source: source, file: question.file)))
        continue
      }
      post.opening += 1
      // The post is held: if its worker dies meanwhile, `ask` gives the request to another.
      opener.open(request.uri) { [weak self] result in
        guard let self else { return }
        post.opening -= 1
        self.ask(post, request, result)
      }
    }
  }

  private func freePost() -> Post? {
    if let free = posts.min(by: { $0.load < $1.load }), free.load == 0 || posts.count == Self.mostWorkers {
      return free.load < Self.mostAtOnce ? free : nil
    }
    do {
      let post = Post(try pool.take(.files))
      post.worker.onReport = { [weak self, weak post] report in
        if let self, let post { self.hear(report, of: post) }
      }
      post.worker.onEnd = { [weak self, weak post] failure in
        if let self, let post { self.replace(post, failure) }
      }
      posts.append(post)
      return post
    } catch {
      giveUp(Failure(.unavailable, "no decoder can be started: \(error)"))
      return nil
    }
  }

  /// Answers all that waits, on a later turn: whoever is answered may ask at once for the next.
  private func giveUp(_ failure: Failure) {
    failedStarts = 0
    Log.error("\(failure.message); nothing can be looked into")
    let refused = waiting
    waiting = FIFO()
    loop.mailbox.post {
      var refused = refused
      while let request = refused.popFirst() { request.fail(failure) }
    }
  }

  private func ask(_ post: Post, _ request: Request, _ result: Result<OpenedMedia, Failure>) {
    switch result {
    case .failure(let failure):
      request.fail(failure)
      settle(post)
    case .success(let media):
      guard posts.contains(where: { $0 === post }) else {
        // Its worker died while the file was being opened.
        waiting.append(request)
        return assign()
      }
      lastTicket &+= 1
      if post.asked.isEmpty { post.begun = .now }
      post.asked.append((lastTicket, request))
      post.worker.send(
        request.order(lastTicket, media.source), files: [media.file?.raw, request.target].compactMap(\.self))
      if watch?.isArmed == false { watch?.arm(after: Self.patience) }
    }
  }

  private func hear(_ report: WorkerEvent, of post: Post) {
    let ticket: UInt32
    switch report {
    case .probed(let asked, _), .lyrics(let asked, _), .cover(let asked, _), .failedProbe(let asked, _):
      ticket = asked
    default: return
    }
    guard let index = post.asked.firstIndex(where: { $0.ticket == ticket }) else { return }
    failedStarts = 0
    post.begun = .now
    let request = post.asked.remove(at: index).request
    // Only a worker that was taken over answers another question than it was asked.
    if !request.take(report) { request.fail(Failure(.unplayable, "the decoder said something else than it was asked")) }
    settle(post)
  }

  /// Gives it more to do, or sends it home.
  private func settle(_ post: Post) {
    assign()
    guard post.load == 0, waiting.isEmpty, let index = posts.firstIndex(where: { $0 === post }) else { return }
    posts.remove(at: index)
    pool.keep(post.worker)
    if posts.isEmpty { watch?.disarm() }
  }

  private func replace(_ post: Post, _ failure: Failure) {
    pool.noteLoss()
    posts.removeAll { $0 === post }
    if failure.kind == .unavailable {
      // No file had a part in it.
      for (_, request) in post.asked { waiting.append(request) }
      failedStarts += 1
      if failedStarts >= Self.mostFailedStarts { giveUp(failure) }
      return assign()
    }
    // It answers in order, so it died of the first it was asked.
    if var culprit = post.asked.first?.request {
      culprit.kills += 1
      if post.worker.wasKilled, culprit.kills < Self.mostKills {
        waiting.append(culprit)
      } else {
        Log.warning("\(culprit.uri), while it was looked into: \(failure.message)")
        culprit.fail(failure)
      }
    }
    for (_, request) in post.asked.dropFirst() { waiting.append(request) }
    assign()
  }

  private func endTheHung() {
    let now = MonotonicTime.now
    for post in posts where !post.asked.isEmpty && now - post.begun >= Self.patience {
      post.worker.kill(because: "the decoder said nothing of it for \(Self.patience.nanoseconds / 1_000_000_000) s")
    }
    if posts.contains(where: { !$0.asked.isEmpty }) { watch?.arm(after: Self.patience) }
  }
}
