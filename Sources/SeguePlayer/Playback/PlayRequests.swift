/// The requests to play tracks that are found later: in a folder, or by an online catalogue. Such a request has no
/// effect on playback if a later request has determined what is played.
struct PlayRequests {
  /// The number of the last request.
  private var last = 0
  /// The requests up to this number have begun playback, or must not any more.
  private var settled = 0

  /// Adds a request, and returns its number.
  mutating func add() -> Int {
    last += 1
    return last
  }

  /// Settles a request whose tracks were found. Returns whether they are to be played: whether no later request was
  /// settled.
  mutating func settle(_ number: Int) -> Bool {
    guard number > settled else { return false }
    settled = number
    return true
  }

  /// Settles all requests, because a later one has determined what is played: a track of the queue, or none.
  mutating func supersede() { settled = last }
}
