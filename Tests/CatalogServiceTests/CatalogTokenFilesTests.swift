import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueCatalogProviders
@testable import SegueCatalogService

/// Tests of the files with the tokens of providers.
@Suite struct CatalogTokenFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func eachProvider_hasAFileOfItsOwn() async throws {
    let files = CatalogTokenFiles(folder: folder.path)
    defer { files.close() }
    for scheme in CatalogItemURI.Scheme.allCases {
      try await write(try CatalogToken("\(scheme.rawValue).secret"), of: scheme, to: files)
    }
    #expect(
      Set(try Folder.names(in: folder.path).map { String(decoding: $0, as: UTF8.self) })
        == Set(CatalogItemURI.Scheme.allCases.map { "\($0.rawValue)-token" }))
    try await write(nil, of: .radio, to: files)
    #expect(files.read(.itunes)?.secret == "itunes.secret")
    #expect(files.read(.tmdb)?.secret == "tmdb.secret")
    #expect(files.read(.radio) == nil)
  }

  private func write(
    _ token: CatalogToken?, of provider: CatalogItemURI.Scheme, to files: CatalogTokenFiles
  ) async throws {
    try await withCheckedContinuation { continuation in
      files.write(token, of: provider) { continuation.resume(returning: $0) }
    }.get()
  }
}
