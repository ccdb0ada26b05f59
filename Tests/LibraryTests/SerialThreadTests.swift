import SegueSystem
import Synchronization
import Testing

@testable import SegueLibrary

@Suite(.timeLimit(.minutes(1))) struct SerialThreadTests {
  /// Once after the last job, however long nothing comes then; and it is there for the next one.
  @Test func whoHasNothingToDoIsIdleOnce() {
    let steps = Mutex<[String]>([])
    let (isIdle, isIdleAgain) = (BlockingPromise<Void>(), BlockingPromise<Void>())
    let note: @Sendable (String) -> Void = { step in steps.withLock { $0.append(step) } }
    let thread = SerialThread<Int>(
      name: "test",
      whenIdle: { jobs in
        note("idle after \(jobs)")
        if jobs == 2 { isIdle.fulfill(()) }
        if jobs == 3 { isIdleAgain.fulfill(()) }
      }, state: { 0 })
    for _ in 0..<2 {
      thread.post { jobs in
        jobs += 1
        note("job")
      }
    }
    isIdle.wait()
    thread.post { jobs in
      jobs += 1
      note("job")
    }
    isIdleAgain.wait()
    thread.close()
    #expect(steps.withLock(\.self) == ["job", "job", "idle after 2", "job", "idle after 3"])
  }
}
