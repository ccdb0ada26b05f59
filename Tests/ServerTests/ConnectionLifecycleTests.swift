import SegueLoop
import Testing

@testable import SegueServer

@Suite struct ConnectionLifecycleTests {
  private func lifecycle(after readiness: Readiness...) -> ConnectionLifecycle {
    var lifecycle = ConnectionLifecycle()
    for readiness in readiness { lifecycle.becameReady(readiness) }
    return lifecycle
  }

  @Test func newConnection_waitsForInput() {
    let lifecycle = ConnectionLifecycle()
    #expect(!lifecycle.canRead)
    #expect(lifecycle.acceptsRequests)
    #expect(!lifecycle.isInputFinished)
    #expect(!lifecycle.isPeerClosed)
  }

  @Test func readableSocket_isReadUntilItsLastData() {
    var lifecycle = lifecycle(after: .readable)
    #expect(lifecycle.canRead)
    lifecycle.didRead(.data)
    #expect(lifecycle.canRead)
    lifecycle.didRead(.lastData)
    #expect(!lifecycle.canRead)
  }

  @Test func writableSocket_isNotRead() {
    #expect(!lifecycle(after: .writable).canRead)
  }

  /// The loop does not announce the rest of the input of a client that has closed its sending side.
  @Test func endingInput_isReadUntilItsEnd() {
    var lifecycle = lifecycle(after: .readable, [.readable, .endOfInput])
    lifecycle.didRead(.lastData)
    #expect(lifecycle.canRead)
    #expect(!lifecycle.isInputFinished)
    lifecycle.didRead(.endOfInput)
    #expect(!lifecycle.canRead)
    #expect(lifecycle.isInputFinished)
    #expect(lifecycle.acceptsRequests, "requests that were read are carried out")
    #expect(!lifecycle.isPeerClosed, "responses are sent")
  }

  @Test(arguments: [Readiness.hangUp, .error]) func closedPeer_isReadToItsEnd(_ readiness: Readiness) {
    var lifecycle = lifecycle(after: readiness)
    #expect(lifecycle.isPeerClosed)
    #expect(lifecycle.canRead)
    lifecycle.didRead(.endOfInput)
    #expect(lifecycle.isInputFinished)
  }

  @Test func brokenConnection_isFinishedAndClosed() {
    var lifecycle = lifecycle(after: .readable)
    lifecycle.didRead(.failed)
    #expect(lifecycle.isInputFinished)
    #expect(lifecycle.isPeerClosed)
  }

  @Test func failedSend_closesPeerAndKeepsInput() {
    var lifecycle = lifecycle(after: .readable)
    lifecycle.sendFailed()
    #expect(lifecycle.isPeerClosed)
    #expect(lifecycle.canRead)
    #expect(lifecycle.acceptsRequests)
  }

  @Test func rejectedInput_isFinishedWhateverFollows() {
    var lifecycle = lifecycle(after: .readable)
    lifecycle.rejectInput()
    lifecycle.becameReady([.readable, .endOfInput])
    lifecycle.expectInput()
    #expect(!lifecycle.canRead)
    #expect(!lifecycle.acceptsRequests)
    #expect(lifecycle.isInputFinished)
  }

  @Test func expectedInput_isReadOnce() {
    var lifecycle = ConnectionLifecycle()
    lifecycle.expectInput()
    #expect(lifecycle.canRead)
    lifecycle.didRead(.wouldBlock)
    #expect(!lifecycle.canRead)
  }
}
