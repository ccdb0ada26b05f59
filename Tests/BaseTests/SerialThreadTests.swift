import SegueSystem
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct SerialThreadTests {
  /// The closure runs once, however long there are no jobs, and the thread does the next job.
  @Test func theIdleClosureRunsOnceAfterTheLastJob() {
    let steps = Mutex<[String]>([])
    let (isIdle, isIdleAgain) = (BlockingPromise<Void>(), BlockingPromise<Void>())
    let record: @Sendable (String) -> Void = { step in steps.withLock { $0.append(step) } }
    let thread = SerialThread<Int>(
      name: "test",
      onIdle: { jobs in
        record("idle after \(jobs)")
        if jobs == 2 { isIdle.fulfill(()) }
        if jobs == 3 { isIdleAgain.fulfill(()) }
        return false
      }, state: { 0 })
    // The first job ends after the second was posted. On a busy machine, the thread could be idle between them
    // otherwise.
    let secondIsPosted = BlockingPromise<Void>()
    thread.post { jobs in
      secondIsPosted.wait()
      jobs += 1
      record("job")
    }
    thread.post { jobs in
      jobs += 1
      record("job")
    }
    secondIsPosted.fulfill(())
    isIdle.wait()
    thread.post { jobs in
      jobs += 1
      record("job")
    }
    isIdleAgain.wait()
    thread.close()
    #expect(steps.withLock(\.self) == ["job", "job", "idle after 2", "job", "idle after 3"])
  }

  /// Work that is done in parts goes on after the job.
  @Test func aJobIsDoneBetweenTwoPartsOfIdleWork() {
    let steps = Mutex<[String]>([])
    let (hasBegun, isPosted, isDone) = (BlockingPromise<Void>(), BlockingPromise<Void>(), BlockingPromise<Void>())
    let thread = SerialThread<Int>(
      name: "test",
      onIdle: { parts in
        parts += 1
        steps.withLock { $0.append("part \(parts)") }
        if parts == 1 {
          hasBegun.fulfill(())
          isPosted.wait()
        }
        if parts == 3 { isDone.fulfill(()) }
        return parts < 3
      }, state: { 0 })
    thread.post { _ in }
    hasBegun.wait()
    thread.post { _ in steps.withLock { $0.append("job") } }
    isPosted.fulfill(())
    isDone.wait()
    thread.close()
    #expect(steps.withLock(\.self) == ["part 1", "job", "part 2", "part 3"])
  }
}
