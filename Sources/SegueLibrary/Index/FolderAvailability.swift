/// Which folders can be reached: those that are not marked as offline, and lie in none that is. Every row that is asked
/// for is compared with every mark, of which there are few, mostly none.
enum FolderAvailability {
  /// Of a row of `folder` that is called f: 1 if it is offline.
  static let isOffline = """
    EXISTS (
      SELECT 1 FROM (SELECT id, CAST(rtrim(path, '/') || '/' AS BLOB) AS stem FROM folder WHERE offline = 1) gone
      WHERE gone.id = f.id OR substr(f.path, 1, length(stem)) = stem)
    """
}
