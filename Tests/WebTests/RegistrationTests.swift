import SegueAccounts
import SegueSystem
import SegueWire
import Testing

/// Tests of what a person may enter to register.
@Suite struct RegistrationTests {
  private static let valid = Registration(
    firstName: "Anna", lastName: "O'Neill-Smith", birthDate: "2008-11-30", phone: "+375 (29) 123-45-67",
    email: "anna@example.com", password: "Secret1")
  private static let today = Day(2026, 11, 30)!

  /// Returns the problems of valid values with one change.
  private func problems(_ change: (inout Registration) -> Void) -> [Registration.Field: String] {
    var registration = Self.valid
    change(&registration)
    return registration.problems(on: Self.today).mapValues(\.text)
  }

  @Test func aCompleteFormOfAnAdultHasNoProblems() {
    #expect(problems { _ in } == [:])
  }

  @Test func everyEmptyFieldHasAProblem() {
    let empty = Registration(firstName: "", lastName: "", birthDate: "", phone: "", email: "", password: "")
    #expect(Set(empty.problems(on: Self.today).keys) == Set(Registration.Field.allCases))
  }

  @Test(arguments: [
    "Анна", "Anna1", "-Anna", "Anna-", "An  na", "Anna\n", "An\u{0}na", "😀", String(repeating: "a", count: 51),
  ])
  func aNameHasLatinLettersOnly(name: String) {
    #expect(problems { $0.firstName = name }.keys.map(\.rawValue) == ["firstName"])
    #expect(problems { $0.lastName = name }.keys.map(\.rawValue) == ["lastName"])
  }

  @Test(arguments: ["Žofie", "Jean-Luc", "D’Arcy", "Van der Berg", "Ł", String(repeating: "a", count: 50)])
  func namesOfLatinAlphabetsAreAccepted(name: String) {
    #expect(problems { $0.firstName = name } == [:])
  }

  @Test(arguments: ["2008-12-01", "2026-11-30"])
  func whoIsYoungerThan18YearsMayNotRegister(birth: String) {
    #expect(problems { $0.birthDate = birth } == [.birthDate: "You must be at least 18 years old."])
  }

  @Test(arguments: [
    "2026-12-01", "1899-12-31", "2008-02-30", "30.11.2000", "2000-1-1", "abcd-ef-gh", "20000101", "2000-01-01 ",
  ])
  func aBirthDateIsADayOfThePast(birth: String) {
    #expect(problems { $0.birthDate = birth } == [.birthDate: "Enter a date in the past."])
  }

  @Test(arguments: ["\u{212A}ate@example.com", "kate@example.\u{212A}om", "İ@example.com"])
  func anAddressIsOneOnlyIfAllOfItIsASCII(text: String) {
    #expect(problems { $0.email = text }.keys.map(\.rawValue) == ["email"])
  }

  @Test(arguments: ["375291234567", "+375291234567", "+375 29 123-45-67", "+375 (29) 123-45-67"])
  func aPhoneNumberIsStoredInOneForm(text: String) {
    #expect(Registration.phoneNumber(text) == "+375 (29) 123-45-67")
  }

  @Test(arguments: [
    "+375 29 123-45-6", "+375 29 123-45-678", "+7 912 345-67-89", "80291234567", "+375 29 abc", "3+75291234567",
    "٣٧٥٢٩١٢٣٤٥٦٧",
  ])
  func otherNumbersAreRefused(text: String) {
    #expect(problems { $0.phone = text }.keys.map(\.rawValue) == ["phone"])
  }

  @Test(arguments: [
    "anna", "anna@", "@example.com", "anna@example", "anna@@example.com", "an na@example.com", "anna@-example.com",
    "anna.@example.com", "anna@example.c", "anna@127.0.0.1", "анна@example.com", "anna@exam_ple.com",
    String(repeating: "a", count: 65) + "@example.com", "anna@" + String(repeating: "a.", count: 130) + "com",
  ])
  func malformedAddressesAreRefused(text: String) {
    #expect(problems { $0.email = text }.keys.map(\.rawValue) == ["email"])
  }

  @Test func anAddressIsTheSameInCapitalLetters() {
    #expect(Registration.emailAddress("Anna.B+music@Example.COM") == "anna.b+music@example.com")
  }

  @Test(arguments: [
    ("Ab1cd", "Use at least 6 characters."), ("Abcdef", "Use at least one digit."),
    ("ABCDE1", "Use at least one lower-case letter."), ("abcde1", "Use at least one upper-case letter."),
    ("Abcde1\u{0}", "Use other characters."), ("A1" + String(repeating: "a", count: 255), "Use at most 256 bytes."),
  ])
  func aPasswordHasSixCharactersOfThreeKinds(password: String, problem: String) {
    #expect(problems { $0.password = password } == [.password: problem])
  }

  @Test(arguments: ["Abcde1", "Ünïcode1", "ПарольДва2", "A1" + String(repeating: "a", count: 254)])
  func otherPasswordsAreAccepted(password: String) {
    #expect(problems { $0.password = password } == [:])
  }
}
