internal import Glibc

/// A thread of a test.
public final class TestThread {
  private var id = pthread_t()

  public init(_ body: @escaping @Sendable () -> Void) {
    // Proof: retained here and released by the function of the thread.
    pthread_create(&id, nil, testThread, Unmanaged.passRetained(Body(body)).toOpaque())
  }

  /// Waits for the end of the thread. Called once, unless the thread is detached.
  public func join() { pthread_join(id, nil) }

  /// Detaches the thread, for whose end nothing waits. Called once.
  public func detach() { pthread_detach(id) }

  fileprivate final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

private func testThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<TestThread.Body>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
