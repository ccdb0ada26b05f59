internal import Glibc

/// A thread of a test's own.
public final class TestThread {
  private var id = pthread_t()

  public init(_ body: @escaping @Sendable () -> Void) {
    // Retained here, released by the thread's function.
    pthread_create(&id, nil, testThread, Unmanaged.passRetained(Body(body)).toOpaque())
  }

  /// Waits for its end. Once, unless it was detached.
  public func join() { pthread_join(id, nil) }

  /// Nobody waits for its end. Once.
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
