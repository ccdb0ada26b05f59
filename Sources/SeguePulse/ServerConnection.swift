// Pulse thread only.
internal import SegueSystem

extension Sink: ConnectionDelegate {
  /// Sees to it that there is a connection, or one under way.
  func connect() {
    if connection == nil {
      connection = newConnection()
    } else if retry == nil {
      return
    }
    // Somebody wants it now: no need to wait any longer.
    tryToConnect()
  }

  private func tryToConnect() {
    retry = nil
    connection?.connect()
    keepVigil()
  }

  /// Nobody wants sound any more.
  func giveUpConnecting() {
    another = nil
    isLost = false
    patience = Self.shortest
    guard let connection, !connection.isReady, listsAsked.isEmpty else { return }
    retry = nil
    socketWatch = nil
    endVigil()
    self.connection = nil
  }

  func connectionIsReady() {
    isLost = false
    patience = Self.shortest
    socketWatch = nil
    noteSign()
    emit(.connected)
    for token in listsAsked { askForSinks(token) }
    pour()
  }

  func connectionFailed(_ reason: String) {
    let heard = heardFrame
    another = nil
    endVigil()
    dropGenerations()
    connection = nil
    closeStream()
    refuseLists(reason)
    guard isWanted else { return }
    if !isLost {
      isLost = true
      patience = Self.shortest
      emit(.lost(.server, reason: reason, position: heard))
    }
    guard isWanted, connection == nil, let next = newConnection() else { return }
    connection = next
    socketWatch = socketWatch ?? ServerSocketWatch(loop, server: setup.server) { [unowned self] in serverAppeared() }
    let longest = socketWatch == nil ? Self.longest : Self.longestWatching
    retry = next.timer(after: losePatience(longest: longest)) { [unowned self] in tryToConnect() }
  }

  /// How long to wait for the next try. Twice as long for the one after, up to `longest`.
  func losePatience(longest: MediaTime) -> MediaTime {
    defer { patience = min(patience + patience, longest) }
    return patience
  }

  /// Its socket is there; that it does not listen yet is possible, and then the next try comes soon.
  private func serverAppeared() {
    patience = Self.shortest
    if retry != nil { tryToConnect() }
  }

  private func newConnection() -> Connection? {
    Connection(loop, applicationName: setup.applicationName, server: setup.server, owner: self)
  }

  func listSinks(_ token: UInt64) {
    listsAsked.append(token)
    connect()
    if connection?.isReady == true { askForSinks(token) }
    // Those that ask later wait no longer for that.
    guard listPatience == nil else { return }
    listPatience = connection?.timer(after: Self.untilListIsRefused) { [unowned self] in
      refuseLists("it does not answer")
      if !isWanted { giveUpConnecting() }
    }
  }

  /// A server that hangs must not hold up a client for longer.
  private static let untilListIsRefused = MediaTime.seconds(3)

  /// The place in `sinks` of the one that our stream plays on, or will once it is moved or made.
  private func currentSink(of sinks: [SinkDescription]) -> Int? {
    if let stream, stream.isReady, !isMoving, let place = sinks.firstIndex(where: { $0.index == stream.sinkIndex }) {
      return place
    }
    return sinks.firstIndex { $0.name == device } ?? sinks.firstIndex { $0.isDefault }
  }

  private func refuseLists(_ reason: String) {
    listPatience = nil
    for token in listsAsked { emit(.sinksUnavailable(token: token, reason: reason)) }
    listsAsked = []
  }

  private func askForSinks(_ token: UInt64) {
    connection?.listSinks { [unowned self] sinks in
      guard let index = listsAsked.firstIndex(of: token) else { return }
      listsAsked.remove(at: index)
      if listsAsked.isEmpty { listPatience = nil }
      if var sinks {
        // This must wait for the list: the server may have moved the stream while it was made.
        if let current = currentSink(of: sinks) { sinks[current].isCurrent = true }
        emit(.sinks(token: token, sinks))
      } else {
        emit(.sinksUnavailable(token: token, reason: connection?.reason ?? ""))
      }
    }
  }
}
