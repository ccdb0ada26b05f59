// On the thread of its role only.

internal import SegueSystem
internal import SegueWire

/// What a thread does with its connection.
protocol LibraryRole: AnyObject {
  static var threadsRole: LibraryFile.Role { get }
  init(_ connection: SQLiteConnection) throws(StoreError)
  /// Whether more of the same comes at once, for which the pages are kept.
  var goesOn: Bool { get }
}

/// A thread's connection to the library: opened with its first job, and again after a failure.
final class LibraryConnection<Role: LibraryRole> {
  private let file: LibraryFile
  private let cache: Int
  private let isKept: Bool
  private var opened: Opened?

  private struct Opened {
    let connection: SQLiteConnection
    let role: Role
    let generation: Int
    /// What is written is in it until it is in the file; nil if that is not known.
    let log: FileIdentity?
    /// Grows with what other connections write (PRAGMA data_version): what `role` remembers is of this one.
    let version: Int64
  }

  /// `cache`: so many KiB of the file are kept while there is something to do; with `isKept` beyond that, until
  /// `releaseMemory`.
  init(_ file: LibraryFile, cache: Int = 2048, isKept: Bool = false) {
    self.file = file
    self.cache = cache
    self.isKept = isKept
  }

  /// What the thread works with; nil before the first job and after a failure.
  var role: Role? { opened?.role }

  /// `body` in a transaction.
  func run<Value>(_ body: (Role) throws(StoreError) -> Value) -> Result<Value, Failure> {
    do {
      let value = try attempt(body)
      if Role.threadsRole == .writing { file.tell(nil) }
      return .success(value)
    } catch {
      if Role.threadsRole == .writing { file.tell(error) }
      return .failure(Failure(.unavailable, "the library: \(error)"))
    }
  }

  private func attempt<Value>(_ body: (Role) throws(StoreError) -> Value) throws(StoreError) -> Value {
    let opened = try open()
    defer { if !isKept, role?.goesOn != true { releaseMemory() } }
    do {
      return try opened.connection.transaction(isReading: Role.threadsRole == .reading) { () throws(StoreError) in
        try body(try role(of: opened))
      }
    } catch {
      // What was remembered of rows may be untrue now.
      self.opened = nil
      if error.kind == .corrupt { try file.giveUp(opened.generation, because: error) }
      throw error
    }
  }

  /// Gives back what of the file is kept.
  func releaseMemory() { opened?.connection.releaseMemory() }

  /// What FTS5 and the statements keep of much work goes; the file stays open, for what may have to be rescued of it. A
  /// failure is the next job's to find.
  func reopen() {
    let old = opened
    opened = nil
    withExtendedLifetime(old) { _ = try? open() }
  }

  /// In a transaction. A writer knows the file as it left it; if another process wrote to it, it is read again.
  private func role(of opened: Opened) throws(StoreError) -> Role {
    guard Role.threadsRole == .writing else { return opened.role }
    let version = try opened.connection.integer("PRAGMA data_version")
    guard version != opened.version else { return opened.role }
    let role = try Role(opened.connection)
    self.opened = Opened(
      connection: opened.connection, role: role, generation: opened.generation, log: opened.log, version: version)
    return role
  }

  private func open() throws(StoreError) -> Opened {
    if let opened, opened.generation == file.generation {
      if Role.threadsRole == .reading { return opened }
      try file.stayFound(opened.generation, log: opened.log, rescuing: opened.connection)
      if opened.generation == file.generation { return opened }
    }
    opened = nil
    let (connection, generation) = try file.open(Role.threadsRole)
    do {
      try connection.execute("PRAGMA cache_size = -\(cache)")
      let version = try connection.integer("PRAGMA data_version")
      let role = try Role(connection)
      // As long as a connection is open, SQLite leaves the log where it is.
      let new = Opened(
        connection: connection, role: role, generation: generation, log: file.log, version: version)
      opened = new
      return new
    } catch {
      if error.kind == .corrupt { try file.giveUp(generation, because: error) }
      throw error
    }
  }
}
