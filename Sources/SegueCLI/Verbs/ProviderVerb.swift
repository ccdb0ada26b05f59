internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

/// The verb `providers`, which lists the providers of online catalogues and sets their tokens.
enum ProviderVerb {
  static let verb = Verb(
    "providers", .catalog, "[token NAME|forget NAME]", 0...2, values: values,
    tr("list the providers of catalogues"),
    details: tr(
      """
      token stores the token of a provider that requires one. The token is read from
      standard input, because arguments of programs are visible to other users.
      forget removes it.

      In a pipe, the fields are name, title, kinds that can be searched for, kinds
      whose popular items can be listed, home page, and the reason why the provider
      cannot be used or nothing, separated by tabs.

        segue providers | cut -f 1,3
        segue providers token tmdb < token.txt
      """), run: run)

  private enum Action: String, CaseIterable {
    case token, forget
  }

  static let values = ArgumentValues { arguments in
    switch arguments.count {
    case 0: [.words(Action.words)]
    case 1: [.providers]
    default: []
    }
  }

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    guard let word = arguments.first?.text else { return try list(context) }
    guard let action = Action(rawValue: word) else {
      throw .usage(tr("unknown action “%1$s”: use token or forget", word), hints: ["segue help providers"])
    }
    guard arguments.count == 2 else {
      throw .usage(
        tr("%1$s: missing name of a provider", word), hints: [tr("segue providers   shows the names")])
    }
    let name = arguments[1].text
    guard let provider = TokenProvider(rawValue: name) else {
      throw .usage(
        tr("%1$s takes no token; these do: %2$s", name, TokenProvider.words.joined(separator: ", ")),
        hints: [tr("segue providers   shows the names")])
    }
    let token: String? =
      switch action {
      case .token: try TokenInput.read(name)
      case .forget: nil
      }
    context.print(try context.call(CatalogSetTokenRequest(provider: provider, token: token))) { _ in
      token == nil ? tr("the token of %1$s is removed", name) : tr("the token of %1$s is stored", name)
    }
  }

  private static func list(_ context: VerbContext) throws(ClientError) {
    let result = try context.call(CatalogProvidersRequest())
    if context.printsJSON { return context.print(json: result.json) }
    let providers = result.value.providers
    let style = context.style
    guard style.isTerminal else {
      for provider in providers {
        let fields = [
          provider.name, provider.title, provider.kinds.map(\.label).joined(separator: " "),
          provider.charts.map(\.rawValue).joined(separator: " "), provider.link, provider.error?.text ?? "",
        ]
        context.console.printLine(fields.map(\.visible).joined(separator: "\t"))
      }
      return
    }
    let rows = providers.map { provider in
      Table.Row(cells: [
        provider.name.visible, provider.title.visible, provider.kinds.map(\.label).joined(separator: ", "),
      ])
    }
    let table = Table([.text(), .text(weight: 2, dropOrder: 1), .text(weight: 4)], first: rows, style: style)
    for (provider, row) in zip(providers, rows) {
      context.console.printLine(table.line(row))
      // An address is not wrapped, so that it can be copied.
      guard let error = provider.error else {
        context.console.printLine(style.paint("    " + provider.link.visible, .dim))
        continue
      }
      for line in error.translated.visible.wrapped(to: max(1, style.columns - 4)) {
        context.console.printLine(style.paint("    " + line, .yellow))
      }
    }
  }
}
