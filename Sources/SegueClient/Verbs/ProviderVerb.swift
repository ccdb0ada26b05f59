internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The verb `providers`, which lists the providers of online catalogues and sets their tokens.
enum ProviderVerb {
  private enum Action: String {
    case token, forget
  }

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    guard let word = arguments.first?.text else { return try list(context) }
    guard let action = Action(rawValue: word) else {
      throw .usage("unknown action “\(word)”: use token or forget", hints: ["segue help providers"])
    }
    guard arguments.count == 2 else {
      throw .usage("\(word): missing name of a provider", hints: ["segue providers   shows the names"])
    }
    let name = arguments[1].text
    let token: String? =
      switch action {
      case .token: try TokenInput.read(name)
      case .forget: nil
      }
    let request = ClientRequest("catalog.setToken") {
      $0.member("provider", name)
      $0.member("token", token)
    }
    context.print(try context.call(request)) { _ in
      "the token of \(name.visible) is \(token == nil ? "removed" : "stored")"
    }
  }

  private static func list(_ context: VerbContext) throws(ClientError) {
    let result = try context.call(ClientRequest("catalog.providers"))
    if context.printsJSON { return context.print(json: result) }
    let providers = CatalogProviderList(result).providers
    let style = context.style
    let rows = providers.map { provider in
      Table.Row(
        cells: [
          provider.name.visible, provider.title.visible, provider.kinds.map(\.rawValue).joined(separator: " "),
          provider.error?.visible ?? provider.link.visible,
        ], paint: provider.error == nil ? nil : .yellow)
    }
    guard style.isTerminal else {
      for (provider, row) in zip(providers, rows) {
        let fields = [
          provider.name, provider.title, row.cells[2], provider.charts.map(\.rawValue).joined(separator: " "),
          provider.link, provider.error ?? "",
        ]
        context.console.printLine(fields.map(\.visible).joined(separator: "\t"))
      }
      return
    }
    let table = Table(
      [.text(), .text(weight: 2, dropOrder: 1), .text(weight: 4), .text(weight: 4)], first: rows, style: style)
    for row in rows { context.console.printLine(table.line(row)) }
  }
}
