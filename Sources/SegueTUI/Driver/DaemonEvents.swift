internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

extension Event {
  /// Creates the event of the model for one of the connection; nil for a topic that the interface does not show.
  init?(_ event: ReconnectingConnection<DaemonCall>.Event) {
    switch event {
    case .connected: self = .connected
    case .disconnected(let error): self = .disconnected(ClientError(error))
    case .response(let call, let result): self = .response(call, result.mapError { ClientError($0) })
    case .changeNotSaved: self = .changeNotSaved
    case .changed(.player(let status)): self = .playerChanged(status)
    case .changed(.queue(let queue)): self = .queueChanged(version: queue.version, length: queue.length)
    case .changed(.library(let status)): self = .libraryChanged(status)
    case .changed(.settings(let list)): self = .settingsChanged(list.settings)
    case .changed(.favorites(let list)): self = .listChanged(.favorites, version: list.version)
    case .changed(.playlists(let list)): self = .listChanged(.playlists, version: list.version)
    case .changed(.ratings(let list)): self = .listChanged(.ratings, version: list.version)
    case .changed(.history(let list)): self = .listChanged(.history, version: list.version)
    case .changed(.output): return nil
    }
  }
}
