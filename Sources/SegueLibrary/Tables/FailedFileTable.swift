// Thread: "index".

internal import SegueFiles
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The table of files that could not be read.
struct FailedFileTable {
  private let connection: SQLiteConnection
  private let counts: StoredCounts
  private let changes: ChangeRecord

  init(_ connection: SQLiteConnection, _ counts: StoredCounts, _ changes: ChangeRecord) {
    self.connection = connection
    self.counts = counts
    self.changes = changes
  }

  var isEmpty: Bool { counts.current.failed <= 0 }

  func replace(
    _ failure: Failure, of file: ScannedFile, _ folder: Int64, _ name: [UInt8]
  ) throws(StoreError) {
    try remove(folder, name)
    let stamp = file.stamp
    try connection.statement(
      "INSERT INTO failed_file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", folder, name, stamp.device, stamp.inode,
      stamp.size, stamp.modified, failure.kind.rawValue, failure.message, FileFacts.version,
      failure.localizableMessage.savedTemplate, stamp.changed
    ).run()
    add(1)
  }

  func remove(_ folder: Int64, _ name: [UInt8]) throws(StoreError) {
    if isEmpty { return }
    try connection.statement("DELETE FROM failed_file WHERE folder = ? AND name = ?", folder, name).run()
    add(-connection.changedRowCount)
  }

  func removeAll(in folder: Int64) throws(StoreError) {
    try connection.statement("DELETE FROM failed_file WHERE folder = ?", folder).run()
    add(-connection.changedRowCount)
  }

  private func add(_ delta: Int) {
    guard delta != 0 else { return }
    counts.current.failed += delta
    changes.add(.items)
  }

  func move(_ oldFolder: Int64, _ oldName: [UInt8], to folder: Int64, _ name: [UInt8]) throws(StoreError) {
    if isEmpty { return }
    let update = try connection.statement(
      "UPDATE OR REPLACE failed_file SET folder = ?, name = ? WHERE folder = ? AND name = ?", folder, name, oldFolder,
      oldName)
    try changes.run(update, changing: .items)
  }

  func setDevice(_ device: UInt64, ofFilesIn folder: Int64) throws(StoreError) {
    try connection.statement("UPDATE failed_file SET device = ? WHERE folder = ?", device, folder).run()
  }
}
