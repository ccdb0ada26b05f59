import Glibc
import SegueSystem

/// What the tests, and so the programs beside them, were built with to be watched.
public enum Sanitizer {
  public static var isOn: Bool { dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil }

  /// What a program that is watched has to be told by its environment; every child process of a test is.
  public static let environment: [String: String] = {
    var found: [String: String] = [:]
    for name in ["TSAN_OPTIONS", "ASAN_OPTIONS"] {
      if let value = getenv(name) { found[name] = String(cString: value) }
    }
    // Beside the runner's own record of what was reached, one for each program, into which all its processes count while
    // they run (%c): most are killed, and a worker that is locked in could not write one at its end.
    if let own = getenv("LLVM_PROFILE_FILE") {
      found["LLVM_PROFILE_FILE"] = FilePath(String(cString: own)).parent.appending("children-%c%4m.profraw").description
    }
    return found
  }()
}
