internal import SegueCatalogProviders
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// Lists of providers whose pages have a length of their own, so that a client's page consists of parts of several
/// ones.
extension CatalogService {
  /// Answers queries for consecutive pages of a list with the part of them that `page` describes. The first response
  /// says which of the others exist; these are requested at once. If one fails, so does the whole.
  func answer(
    _ jobs: [Job], covering page: PageRequest, refresh: Bool, in group: CatalogRequestGroup?,
    then: @escaping Completion<CatalogAnswer>
  ) {
    answer(jobs[0], refresh: refresh, in: group) { [weak self] first in
      guard let self, case .success(let answer) = first else { return then(first) }
      let rest = jobs.dropFirst().filter { $0.query.page.offset < answer.result.total ?? .max }
      let parts = AnswerParts([answer], count: 1 + rest.count) { result in
        then(result.map { $0.part(page) })
      }
      for (index, job) in rest.enumerated() {
        self.answer(job, refresh: refresh, in: group) { parts.set($0, at: index + 1) }
      }
    }
  }
}

/// The answers to several queries, of which some are missing.
@MainActor
private final class AnswerParts {
  private var parts: [Int: CatalogAnswer] = [:]
  private let count: Int
  private var then: CatalogService.Completion<[CatalogAnswer]>?

  /// `then` is called once: with all answers, before this returns if none is missing, or with the first failure.
  init(_ known: [CatalogAnswer], count: Int, then: @escaping CatalogService.Completion<[CatalogAnswer]>) {
    self.count = count
    self.then = then
    for (index, answer) in known.enumerated() { set(.success(answer), at: index) }
  }

  func set(_ result: Result<CatalogAnswer, Failure>, at index: Int) {
    switch result {
    case .success(let answer):
      parts[index] = answer
      if parts.count == count { complete(.success(parts.sorted { $0.key < $1.key }.map(\.value))) }
    case .failure(let failure): complete(.failure(failure))
    }
  }

  private func complete(_ result: Result<[CatalogAnswer], Failure>) {
    let then = then
    self.then = nil
    then?(result)
  }
}

extension [CatalogAnswer] {
  /// Returns the answer with the entries of a page from answers with consecutive parts of a list, of which there is at
  /// least one. It is as old as the oldest part.
  fileprivate func part(_ page: PageRequest) -> CatalogAnswer {
    let end = page.offset + page.limit
    let ends = dropFirst().map { Swift.min($0.result.offset, end) } + [end]
    let entries = zip(self, ends).flatMap { answer, end in
      let start = Swift.max(page.offset, answer.result.offset)
      return answer.result.entries(of: PageRequest(offset: start, limit: end - start))
    }
    return CatalogAnswer(
      result: CatalogResult(entries, offset: page.offset, total: last?.result.total), provider: self[0].provider,
      age: compactMap(\.age).max(), isStale: contains(where: \.isStale), scope: map(\.scope).min() ?? .public)
  }
}
