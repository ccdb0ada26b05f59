import CPulse
import SegueWire
import Testing

@testable import SeguePulse

/// Tests of the messages for errors of libpulse.
@Suite struct ErrorMessageTests {
  @Test func errorMessages_areThoseOfLibpulse() {
    for code in 0..<Int32(bitPattern: PA_ERR_MAX.rawValue) {
      #expect(LocalizableMessage(pulseError: code).text == String(cString: pa_strerror(code)))
    }
    #expect(LocalizableMessage(pulseError: Int32(bitPattern: PA_ERR_CONNECTIONREFUSED.rawValue)).template != nil)
  }
}
