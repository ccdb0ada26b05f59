/// Calls that are made only after a second press of the key, because they cannot be undone.
struct Confirmation: Equatable {
  let calls: [DaemonCall]
  /// The sentence that names the effect of the calls.
  let question: String
}

/// The message about the last action of the user, and the question that the next action may confirm.
struct ActionMessages {
  private enum Content {
    case message(Message)
    case question(Confirmation)
  }

  private var content: Content?
  /// The message about errors in the configuration. The first action removes it.
  private var configuration: Message?
  /// The question that was displayed before the current action.
  private var confirmed: Confirmation?

  /// Creates the messages. `configuration` is the message about errors in the configuration; nil if there are none.
  init(configuration: Message?) { self.configuration = configuration }

  /// The displayed message; nil if there is none.
  var displayed: Message? {
    switch content {
    case .message(let message): message
    case .question(let confirmation): .information(confirmation.question)
    case nil: configuration
    }
  }

  mutating func show(_ message: Message) { content = .message(message) }

  /// Removes the message, because there is no last action any more.
  mutating func remove() { content = nil }

  /// Begins an event, which confirms nothing unless the event is an action of the user.
  mutating func beginEvent() { confirmed = nil }

  /// Begins an action of the user, which removes the messages, and confirms a question that was displayed.
  mutating func beginAction() {
    confirmed = if case .question(let confirmation) = content { confirmation } else { nil }
    (content, configuration) = (nil, nil)
  }

  /// Returns whether the current action confirms the same calls as the question before it has named. Otherwise, asks.
  mutating func confirm(_ confirmation: Confirmation) -> Bool {
    if confirmation == confirmed { return true }
    content = .question(confirmation)
    return false
  }
}
