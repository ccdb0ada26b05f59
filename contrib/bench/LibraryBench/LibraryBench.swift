internal import Glibc
internal import SegueLibrary
internal import SegueSystem
internal import SegueWire

/// `LibraryBench fill FILE COUNT` makes a library of so many tracks; `LibraryBench ask FILE` measures searching in it
/// (`ask FILE WHAT`: what begins so), `LibraryBench pages FILE` its lists; `LibraryBench scan FILE WORKER FOLDER` scans
/// a folder.
@main
enum LibraryBench {
  static func main() {
    let arguments = CommandLine.arguments
    switch (arguments.dropFirst().first, arguments.count) {
    case ("fill", 4):
      guard let count = Int(arguments[3]) else { fail() }
      let store = LibraryStore(path: FilePath(arguments[2]))
      var fill = Fill(store: store)
      fill.run(count)
      store.close()
    case ("ask", 3), ("ask", 4):
      let store = LibraryStore(path: FilePath(arguments[2]))
      var ask = Ask(store: store, only: arguments.count > 3 ? arguments[3] : "")
      ask.run()
      store.close()
    case ("pages", 3):
      let store = LibraryStore(path: FilePath(arguments[2]))
      var pages = Pages(store: store)
      pages.run()
      store.close()
    case ("scan", 5):
      let scan = Scan(store: LibraryStore(path: FilePath(arguments[2])))
      scan.run(worker: FilePath(arguments[3]), folder: FilePath(arguments[4]))
    default: fail()
    }
  }

  private static func fail() -> Never {
    print("usage: LibraryBench fill FILE COUNT | ask FILE [WHAT] | pages FILE | scan FILE WORKER FOLDER")
    exit(2)
  }
}

/// Waits for the answer of a `LibraryStore`; a failure ends the program.
@discardableResult
func wait<Value: Sendable>(_ ask: (@escaping @Sendable (Result<Value, Failure>) -> Void) -> Void) -> Value {
  let answered = BlockingPromise<Result<Value, Failure>>()
  ask { answered.fulfill($0) }
  switch answered.wait() {
  case .success(let value): return value
  case .failure(let failure): fatalError("\(failure)")
  }
}
