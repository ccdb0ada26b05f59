import Glibc
import SegueSystem

/// The sanitizer with which the tests and the programs were built.
public enum Sanitizer {
  public static var isOn: Bool { dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil }

  /// The environment variables that every child process of a test inherits.
  public static let environment: [String: String] = {
    var found: [String: String] = [:]
    for name in ["TSAN_OPTIONS", "ASAN_OPTIONS"] {
      if let value = getenv(name) { found[name] = String(cString: value) }
    }
    // The coverage of the child processes goes to one file for each program, beside that of the test runner. Processes
    // update it while they run (%c): most are killed, and a worker in its sandbox could not write a file at its end.
    if let own = getenv("LLVM_PROFILE_FILE") {
      found["LLVM_PROFILE_FILE"] = FilePath(String(cString: own)).parent.appending("children-%c%4m.profraw").description
    }
    return found
  }()
}
