import Glibc
import SegueSystem
import SegueTestKit
import Testing

@testable import SegueTUI

/// Tests of the way in which the interface notices changes of `ui.conf`.
@Suite struct ConfigurationFileTests {
  private let root: TemporaryFolder
  private let folder: FilePath
  private let path: FilePath

  init() throws {
    root = try TemporaryFolder()
    folder = root.path.appending("config/segue")
    path = folder.appending("ui.conf")
  }

  private func write(_ theme: Theme) throws {
    try Folder.create(folder)
    try SmallFile.write(Array("[Interface]\nTheme=\(theme.rawValue)\n".utf8), to: path)
  }

  /// Returns the theme of the change that is noticed, as the loop of the interface does.
  private func noticedTheme(_ file: ConfigurationFile) -> Theme? {
    var theme: Theme?
    while let descriptor = file.descriptor {
      var entries = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard poll(&entries, 1, 0) > 0 else { break }
      if let (configuration, _) = file.readChange() { theme = configuration.theme }
    }
    return theme
  }

  @Test func aFileIsNoticedWhoseFoldersAreNew() throws {
    let file = ConfigurationFile(path: path)
    #expect(file.read().0.theme == .terminal && noticedTheme(file) == nil)
    try write(.nord)
    #expect(noticedTheme(file) == .nord)
    try write(.dark)
    #expect(noticedTheme(file) == .dark)
  }

  @Test(arguments: [false, true]) func aFileIsNoticedWhoseFolderIsReplaced(isMoved: Bool) throws {
    try write(.nord)
    let file = ConfigurationFile(path: path)
    #expect(file.read().0.theme == .nord)
    if isMoved {
      try Folder.rename(folder, root.path.appending("config/former"))
    } else {
      Folder.removeFile(path)
      #expect(folder.withCString { rmdir($0) } == 0)
    }
    #expect(noticedTheme(file) == nil)
    try write(.dark)
    #expect(noticedTheme(file) == .dark)
    try write(.light)
    #expect(noticedTheme(file) == .light)
  }

  /// The links lead to a folder that is missing at first.
  @Test func aFileIsNoticedToWhichALinkLeads() throws {
    try Folder.create(folder)
    let target = root.path.appending("dotfiles/ui.conf")
    #expect(symlink(target.description, path.description) == 0)
    let file = ConfigurationFile(path: path)
    #expect(file.read().0.theme == .terminal && noticedTheme(file) == nil)
    try Folder.create(target.parent)
    try SmallFile.write(Array("[Interface]\nTheme=nord\n".utf8), to: target)
    #expect(noticedTheme(file) == .nord)
  }
}
