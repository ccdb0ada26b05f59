import Glibc

/// Whether the tests, and so the programs beside them, were built with a sanitizer.
public enum Sanitizer {
  public static var isOn: Bool { dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil }
}
