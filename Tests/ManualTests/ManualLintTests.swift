import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the form of all manual pages, and of the references among them.
@Suite struct ManualLintTests {
  @Test(arguments: ManualPage.names) func mandocReportsNoProblems(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("lint")
    let file = Descriptor(owning: try checked("open") { path.withCString { open($0, O_WRONLY | O_CLOEXEC) } })
    let page = Repository.root.appending("contrib/man").appending(name)
    let program = try ChildProcess(
      ["mandoc", "-T", "lint", "-W", "style", page.description], environment: ["PATH": "/usr/bin:/bin"],
      output: file.raw, errors: file.raw)
    let code = program.end(0)
    // Messages about pages that are not installed are not about this page.
    let messages = try Repository.lines(of: path).filter {
      !$0.isEmpty && !$0.contains("referenced manual not found") && !$0.contains("outdated mandoc.db")
    }
    #expect(messages == [])
    // From 5 on, mandoc has not read the page.
    #expect(code.map { $0 < 5 } == true)
  }

  @Test(arguments: ManualPage.names) func referencedPagesAndSectionsExist(name: String) throws {
    let sections = try Repository.lines(of: Repository.root.appending("contrib/man").appending(name))
    for line in sections where line.hasPrefix(".Xr segue") {
      let words = line.split(separator: " ")
      #expect(ManualPage.names.contains("\(words[1]).\(words[2])"), "\(line)")
    }
    let headings = sections.filter { $0.hasPrefix(".S") }.map { $0.dropFirst(4) }
    for line in sections where line.hasPrefix(".Sx ") {
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
