internal import CSegue

/// The process' memory.
public enum Memory {
  /// Keeps malloc to one arena, which gives back early what is freed: for a program that is small and mostly asleep.
  /// Before the first thread.
  public static func keepLean() { segue_lean_malloc() }

  /// Gives the system back what malloc keeps of what was freed, wherever it lies. Any thread; others that allocate wait.
  public static func giveBack() { segue_trim_malloc() }
}
