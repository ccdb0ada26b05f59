import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the form of all manual pages, and of the references among them.
@Suite struct ManualLintTests {
  private static let translations = ManualPage.translated.map { "ru/\($0)" }

  @Test(arguments: ManualPage.names + translations) func mandocReportsNoProblems(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("lint")
    let file = Descriptor(owning: try checked("open") { path.withCString { open($0, O_WRONLY | O_CLOEXEC) } })
    let page = Repository.root.appending("contrib/man").appending(name)
    let program = try ChildProcess(
      // Style is not checked in translations: mandoc takes the codes of their letters for punctuation.
      ["mandoc", "-T", "lint", "-W", name.hasPrefix("ru/") ? "warning" : "style", page.description],
      environment: ["PATH": "/usr/bin:/bin"],
      output: file.raw, errors: file.raw)
    let code = program.end(0)
    // Messages about pages that are not installed are not about this page. The headings of translations are Russian.
    let ignored = ["referenced manual not found", "outdated mandoc.db"]
    let ignoredInTranslations = ["first section is not \"NAME\"", "description line outside NAME section"]
    let messages = try Repository.lines(of: path).filter { line in
      !line.isEmpty && !ignored.contains { line.contains($0) }
        && !(name.hasPrefix("ru/") && ignoredInTranslations.contains { line.contains($0) })
    }
    #expect(messages == [])
    // From 5 on, mandoc has not read the page.
    #expect(code.map { $0 < 5 } == true)
  }

  @Test(arguments: ManualPage.names + translations) func referencedPagesAndSectionsExist(name: String) throws {
    let sections = try Repository.lines(of: Repository.root.appending("contrib/man").appending(name))
    for line in sections where line.hasPrefix(".Xr segue") {
      let words = line.split(separator: " ")
      #expect(ManualPage.names.contains("\(words[1]).\(words[2])"), "\(line)")
    }
    let headings = sections.filter { $0.hasPrefix(".Sh ") || $0.hasPrefix(".Ss ") }.map { $0.dropFirst(4) }
    for (line, next) in zip(sections, sections.dropFirst()) where line.hasPrefix(".Sx ") {
      // The section of another page, whose name follows.
      if ["in", "в"].contains(next) { continue }
      let heading = line.dropFirst(4).filter { $0 != "." }
      #expect(headings.contains { $0 == heading || heading == "\($0) " }, "\(line)")
    }
  }

  @Test(arguments: ManualPage.names) func pageHasTheUsualSections(name: String) throws {
    let lines = try Repository.lines(of: Repository.root.appending("contrib/man").appending(name))
    for heading in ["NAME", "DESCRIPTION", "EXAMPLES", "SEE ALSO"] { #expect(lines.contains(".Sh \(heading)")) }
    let title = name.split(separator: ".")
    #expect(lines.contains(".Dt \(title.dropLast().joined(separator: ".").uppercased()) \(title[title.count - 1])"))
  }
}
