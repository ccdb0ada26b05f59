import SegueSQLite
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Statements that get their values together with their SQL.
struct SQLiteStatementTests {
  private let scratch = Scratch()
  private let connection: SQLiteConnection

  init() throws {
    connection = try SQLiteConnection(path: scratch["a.db"], busyTimeout: .zero)
    try connection.execute("CREATE TABLE number (value INTEGER UNIQUE); INSERT INTO number VALUES (1), (2), (3)")
  }

  /// Throws an error while a statement reads the table.
  private func dropTable() throws { try connection.execute("DROP TABLE number") }

  private var failure: StoreError { StoreError(.other, scratch["a.db"], "the test fails") }

  @Test func eachValueKeepsItsType() throws {
    let sql = "SELECT typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), typeof(?)"
    let text: String? = "text"
    let row = try connection.statement(
      sql, Int64(1), 2, UInt64.max, true, 0.5, text, "", [UInt8]("bytes".utf8), Int64?.none)
    let types = try row.first { row in (0..<9).map { row.text($0) } }
    #expect(types == ["integer", "integer", "integer", "integer", "real", "text", "text", "blob", "null"])
  }

  @Test func valuesAreReadAsTheyWereBound() throws {
    let row = try connection.statement("SELECT ?, ?, ?, ?, ?", UInt64.max, false, 0.5, "ä", [UInt8]())
    _ = try row.first { row in
      #expect(row.integer(0) == -1 && row.integer(1) == 0 && row.real(2) == 0.5 && row.text(3) == "ä")
      #expect(row.blob(4) == [] && !row.isNull(4))
    }
  }

  @Test func aNumberedParameterMayOccurSeveralTimes() throws {
    let sum = try connection.integer("SELECT ?1 + ?1 + ?2", 10, 1)
    #expect(sum == 21)
  }

  @Test func aStatementDoesNotKeepTheValuesOfAnEarlierUse() throws {
    let sql = "SELECT coalesce(?, 7)"
    #expect(try connection.integer(sql, 5) == 5)
    #expect(try connection.integer(sql) == 7)
  }

  @Test func thereIsNoFirstRowWithoutRows() throws {
    let value = try connection.statement("SELECT value FROM number WHERE value > ?", 3).first { $0.integer(0) }
    #expect(value == nil)
    #expect(try connection.integer("SELECT value FROM number WHERE value > ?", 3) == 0)
  }

  @Test func mapReadsAllRows() throws {
    let rows = try connection.statement("SELECT value FROM number WHERE value >= ? ORDER BY value", 2)
    #expect(try rows.map { "\($0.integer(0) ?? 0)" } == ["2", "3"])
    try dropTable()
  }

  @Test func readingTheFirstRowResetsTheStatement() throws {
    #expect(try connection.statement("SELECT value FROM number").first { $0.integer(0) } == 1)
    try dropTable()
  }

  @Test func integersResetTheStatement() throws {
    let rows = try connection.statement("SELECT value FROM number ORDER BY value")
    #expect(try rows.integers() == [1, 2, 3])
    #expect(try rows.integers() == [1, 2, 3])
    try dropTable()
  }

  @Test func anErrorWhileReadingResetsTheStatement() throws {
    let rows = try connection.statement("SELECT value FROM number")
    #expect(throws: failure) { try rows.map { (_) throws(StoreError) -> Int in throw failure } }
    #expect(throws: failure) { try rows.first { (_) throws(StoreError) -> Int in throw failure } }
    try dropTable()
  }

  @Test func aStatementRunsAgainAfterAnError() throws {
    let insert = try connection.statement("INSERT INTO number VALUES (?)")
    #expect(throws: StoreError.self) { try insert.run(1) }
    try insert.run(4)
    try insert.run()
    #expect(try connection.integer("SELECT count(*) FROM number WHERE value = 4 OR value IS NULL") == 2)
  }
}
