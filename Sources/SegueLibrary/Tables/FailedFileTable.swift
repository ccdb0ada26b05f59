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
    let insert = try connection.statement("INSERT INTO failed_file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    insert.bind(1, folder)
    insert.bind(2, blob: name)
    insert.bind(3, Int64(bitPattern: file.stamp.device))
    insert.bind(4, Int64(bitPattern: file.stamp.inode))
    insert.bind(5, file.stamp.size)
    insert.bind(6, file.stamp.modified)
    insert.bind(7, failure.kind.rawValue)
    insert.bind(8, failure.message)
    insert.bind(9, FileFacts.version)
    insert.bind(10, failure.localizableMessage.savedTemplate)
    insert.bind(11, file.stamp.changed)
    try insert.run()
    add(1)
  }

  func remove(_ folder: Int64, _ name: [UInt8]) throws(StoreError) {
    if isEmpty { return }
    let delete = try connection.statement("DELETE FROM failed_file WHERE folder = ? AND name = ?")
    delete.bind(1, folder)
    delete.bind(2, blob: name)
    try delete.run()
    add(-connection.changedRowCount)
  }

  func removeAll(in folder: Int64) throws(StoreError) {
    let delete = try connection.statement("DELETE FROM failed_file WHERE folder = ?")
    delete.bind(1, folder)
    try delete.run()
    add(-connection.changedRowCount)
  }

  private func add(_ delta: Int) {
    guard delta != 0 else { return }
    counts.addFailed(delta)
    changes.add(.items)
  }

  func move(_ oldFolder: Int64, _ oldName: [UInt8], to folder: Int64, _ name: [UInt8]) throws(StoreError) {
    if isEmpty { return }
    let update = try connection.statement(
      "UPDATE OR REPLACE failed_file SET folder = ?, name = ? WHERE folder = ? AND name = ?")
    update.bind(1, folder)
    update.bind(2, blob: name)
    update.bind(3, oldFolder)
    update.bind(4, blob: oldName)
    try changes.run(update, changing: .items)
  }

  func setDevice(_ device: UInt64, ofFilesIn folder: Int64) throws(StoreError) {
    let update = try connection.statement("UPDATE failed_file SET device = ? WHERE folder = ?")
    update.bind(1, Int64(bitPattern: device))
    update.bind(2, folder)
    try update.run()
  }
}
