import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of filters whose requests fail.
@Suite struct FilterFailureTests {
  private static func failFilter(_ interface: inout Interface) {
    interface.answering = { if case .read(_, .filterPage) = $0 { .failing } else { .atOnce } }
  }

  @Test func aFilterWhoseRequestFailsSaysSoAndIsReadAgain() {
    var interface = Interface.library(1_200)
    Self.failFilter(&interface)
    interface.type("/album 119")
    #expect(!interface.screen.contains(ItemMessages.noMatch))
    #expect(interface.screen.contains("The request has failed: busy."))
    interface.answering = { _ in .atOnce }
    interface.wait(.seconds(1))
    #expect(interface.lines[0].contains("12 of 1200") && !interface.screen.contains("busy"))
  }

  @Test func aFilterOfTheQueueWhoseRequestFailsSaysSoAndIsReadAgain() {
    var interface = Interface(Interface.queue(1_200))
    Self.failFilter(&interface)
    interface.type("/track 119")
    #expect(!interface.screen.contains(ListMessages.noMatch))
    #expect(interface.screen.contains("The request has failed: busy."))
    interface.answering = { _ in .atOnce }
    interface.wait(.seconds(1))
    #expect(interface.lines[0].contains("12 of 1200") && !interface.screen.contains("busy"))
  }

  @Test func aFilterWithSomeMatchesSaysThatItsRequestHasFailed() {
    var interface = Interface.library(1_200)
    interface.answering = { if case .read(_, .filterPage(500, _)) = $0 { .failing } else { .atOnce } }
    interface.type("/album 119")
    #expect(interface.lines[2].contains("Album 119 ") && interface.lines[0].contains("searching: 500 of 1200"))
    #expect(interface.screen.contains("! The request has failed: busy."))
  }

  @Test func anEditedFilterIsReadAtOnceAfterAFailure() {
    var interface = Interface.library(1_200)
    Self.failFilter(&interface)
    interface.type("/album 11")
    interface.answering = { _ in .atOnce }
    interface.type("9")
    #expect(interface.lines[0].contains("12 of 1200"))
  }

  @Test func aFailedPageDoesNotWakeTheProgramUpWhileAFilterIsDisplayed() {
    var interface = Interface.library(10)
    interface.answering = { if case .read(_, .page) = $0 { .failing } else { .atOnce } }
    interface.press(.function(5))
    interface.type("/album")
    interface.wait(.seconds(1))
    #expect(interface.model.nextTick == nil)
    interface.answering = { _ in .atOnce }
    interface.press(.escape)
    #expect(!interface.screen.contains("busy"))
  }
}
