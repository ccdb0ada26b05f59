import SegueWorkerProtocol
import Testing

@testable import SegueFetch

/// Tests of the scope of addresses, on which the rule depends that a server names no address that is nearer than its
/// own.
@Suite struct AddressScopeTests {
  @Test(
    arguments: [
      "127.0.0.1", "127.255.255.254", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "2002:7f00:1::1",
      "64:ff9b::127.0.0.1",
    ])
  func addressesOfThisMachineAreLoopback(_ address: String) { #expect(AddressScope(address) == .loopback) }

  @Test(
    arguments: [
      "10.0.0.1", "100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1", "198.18.0.1",
      "224.0.0.1", "255.255.255.255", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "::ffff:192.168.0.1",
      "2002:c0a8:1::1", "64:ff9b::10.0.0.1", "64:ff9b:1::1.1.1.1", "64:ff9b::1:1.1.1.1",
      "100::1",
    ])
  func addressesOfLocalNetworksArePrivate(_ address: String) { #expect(AddressScope(address) == .private) }

  @Test(
    arguments: [
      "1.1.1.1", "100.63.255.255", "172.15.0.1", "172.32.0.1", "192.167.0.1", "198.17.0.1", "223.255.255.255",
      "2606:4700::1111", "::ffff:1.1.1.1", "2002:101:101::1", "64:ff9b::1.1.1.1",
    ])
  func otherAddressesArePublic(_ address: String) { #expect(AddressScope(address) == .public) }

  @Test(arguments: ["", "localhost", "1.2.3", "0x7f.1", "1.2.3.4.5", ":::"])
  func aNameHasNoScope(_ text: String) { #expect(AddressScope(text) == nil) }

  @Test func loopbackIsTheNearest() {
    #expect(AddressScope.public < .private)
    #expect(AddressScope.private < .loopback)
  }
}
