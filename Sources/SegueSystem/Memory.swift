internal import CSegue

/// The process' memory.
public enum Memory {
  /// Keeps malloc to one arena, which gives back early what is freed: for a program that is small and mostly asleep.
  /// Before the first thread.
  public static func useSingleArena() { segue_use_single_arena() }

  /// Gives the system back what malloc keeps of what was freed, wherever it lies. Any thread; others that allocate wait.
  public static func trimHeap() { segue_trim_heap() }
}
