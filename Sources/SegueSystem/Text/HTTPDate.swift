extension UnixTime {
  /// Reads a date in the form that servers send (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`. Returns nil if it
  /// is malformed.
  public init?(httpDate text: String) {
    let fields = text.split(separator: " ")
    guard fields.count == 6, fields[5] == "GMT" || fields[5] == "UTC", let day = Self.number(fields[1], 1...31),
      let month = Self.months.firstIndex(of: String(fields[2])).map({ $0 + 1 }),
      let year = Self.number(fields[3], 1970...2200)
    else { return nil }
    let clock = fields[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hours = Self.number(clock[0], 0...23), let minutes = Self.number(clock[1], 0...59),
      let seconds = Self.number(clock[2], 0...60)
    else { return nil }
    let time = CalendarDate.days(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds
    self.init(nanoseconds: Int64(time) * 1_000_000_000)
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
    return range.contains(number) ? number : nil
  }
}
