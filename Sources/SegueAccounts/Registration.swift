public import SegueSystem
public import SegueWire

/// The data that a person enters to register. The page checks the same rules while the person types.
public struct Registration: Equatable, Sendable {
  /// A field of the form, by the name of its parameter.
  public enum Field: String, CaseIterable, Sendable {
    case firstName, lastName, birthDate, phone, email, password
  }

  public var firstName: String
  public var lastName: String
  /// The date of birth as `YYYY-MM-DD`.
  public var birthDate: String
  /// The phone number; see `phoneNumber(_:)`.
  public var phone: String
  public var email: String
  public var password: String

  public init(
    firstName: String, lastName: String, birthDate: String, phone: String, email: String, password: String
  ) {
    self.firstName = firstName
    self.lastName = lastName
    self.birthDate = birthDate
    self.phone = phone
    self.email = email
    self.password = password
  }

  /// The minimum age in years.
  public static let minimumAge = 18

  /// Returns the problem of each field that has one. `today` is the date in the time zone of the machine.
  public func problems(on today: Day) -> [Field: LocalizableMessage] {
    var problems: [Field: LocalizableMessage] = [:]
    problems[.firstName] = Self.problem(ofName: firstName)
    problems[.lastName] = Self.problem(ofName: lastName)
    problems[.birthDate] = Self.problem(ofBirthDate: birthDate, on: today)
    problems[.phone] =
      Self.phoneNumber(phone) == nil ? LocalizableMessage("Enter a number such as +375 (29) 123-45-67.") : nil
    problems[.email] =
      Self.emailAddress(email) == nil ? LocalizableMessage("Enter an address such as name@example.com.") : nil
    problems[.password] = Self.problem(ofPassword: password)
    return problems
  }

  // MARK: Names

  private static func problem(ofName name: String) -> LocalizableMessage? {
    if name.isEmpty { return LocalizableMessage("Enter a name.") }
    if name.unicodeScalars.count > 50 { return LocalizableMessage("Use at most 50 letters.") }
    // A hyphen, an apostrophe or a space stands between two letters.
    var isAfterLetter = false
    for scalar in name.unicodeScalars {
      if isLatin(scalar) {
        isAfterLetter = true
      } else if isAfterLetter, ["-", "'", "’", " "].contains(scalar) {
        isAfterLetter = false
      } else {
        return LocalizableMessage("Use Latin letters.")
      }
    }
    return isAfterLetter ? nil : LocalizableMessage("Use Latin letters.")
  }

  /// Whether a scalar is a letter of the Latin blocks up to Latin Extended-B, or of Latin Extended Additional.
  private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF: true
    default: false
    }
  }

  // MARK: The date of birth

  private static func problem(ofBirthDate text: String, on today: Day) -> LocalizableMessage? {
    guard let birth = Day(text), birth.year >= 1_900, birth <= today else {
      return LocalizableMessage("Enter a date in the past.")
    }
    return birth.age(on: today) < minimumAge ? LocalizableMessage("You must be at least 18 years old.") : nil
  }

  // MARK: The phone number

  /// Returns a phone number of Belarus in the form `+375 (29) 123-45-67`; nil if `text` is none. Spaces, parentheses
  /// and hyphens are ignored.
  public static func phoneNumber(_ text: String) -> String? {
    guard text.utf8.count <= 40, text.unicodeScalars.allSatisfy({ "+0123456789 ()-".unicodeScalars.contains($0) })
    else { return nil }
    let digits = text.filter(\.isNumber)
    guard digits.count == 12, digits.hasPrefix("375"), text.lastIndex(of: "+") ?? text.startIndex == text.startIndex
    else { return nil }
    let part = { (range: Range<Int>) in String(digits.dropFirst(range.lowerBound).prefix(range.count)) }
    return "+375 (\(part(3..<5))) \(part(5..<8))-\(part(8..<10))-\(part(10..<12))"
  }

  // MARK: The e-mail address

  /// Returns an address in lower case, by which a person is found; nil if `text` is none. Quoted local parts are not
  /// accepted.
  public static func emailAddress(_ text: String) -> String? {
    // Other characters may have a lower case in ASCII: that of the sign of the kelvin is a k.
    guard text.utf8.count <= 254, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let address = text.lowercased()
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count) else { return nil }
    let names = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isNameCharacter) }) else { return nil }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, let last = labels.last, last.count >= 2, !last.utf8.allSatisfy(isDigit) else { return nil }
    for label in labels {
      guard (1...63).contains(label.utf8.count), label.first != "-", label.last != "-",
        label.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") })
      else { return nil }
    }
    return address
  }

  /// Whether an atom of RFC 5322 (3.2.3) may contain a byte.
  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || isDigit(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  // MARK: The password

  /// Returns what is wrong with a new password; nil if nothing is.
  public static func problem(ofPassword password: String) -> LocalizableMessage? {
    if password.count < 6 { return LocalizableMessage("Use at least 6 characters.") }
    if password.utf8.count > 256 { return LocalizableMessage("Use at most 256 bytes.") }
    if password.unicodeScalars.contains(where: { $0.value == 0 }) { return LocalizableMessage("Use other characters.") }
    if !password.contains(where: \.isNumber) { return LocalizableMessage("Use at least one digit.") }
    if !password.contains(where: \.isLowercase) { return LocalizableMessage("Use at least one lower-case letter.") }
    if !password.contains(where: \.isUppercase) { return LocalizableMessage("Use at least one upper-case letter.") }
    return nil
  }
}
