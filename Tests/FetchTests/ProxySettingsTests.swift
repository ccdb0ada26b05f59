import Testing

@testable import SegueFetch

/// Tests of which requests a proxy may receive. Where it is uncertain, the rule on addresses must apply.
@Suite struct ProxySettingsTests {
  private func applies(_ environment: [String: String], _ url: String = "http://radio.example/") -> Bool {
    ProxySettings { environment[$0] }.apply(to: url)
  }

  @Test func theVariablesOfTheScheme_decide() {
    #expect(applies(["http_proxy": "p"]))
    #expect(applies(["all_proxy": "p"]) && applies(["ALL_PROXY": "p"]))
    #expect(!applies([:]) && !applies(["https_proxy": "p"]) && !applies(["HTTP_PROXY": "p"]))
    #expect(applies(["HTTPS_PROXY": "p"], "https://radio.example/"))
    #expect(!applies(["http_proxy": "p"], "HTTPS://radio.example/"))
  }

  @Test func emptyVariables_nameNoProxy() {
    #expect(!applies(["http_proxy": ""]) && !applies(["http_proxy": "", "all_proxy": ""]))
    #expect(applies(["http_proxy": "", "all_proxy": "p"]))
  }

  @Test(
    arguments: [
      "*", "radio.example", "RADIO.example", "example", ".example", "a.test, .example", "a.test radio.example.",
      "dio.example",
    ])
  func excludedHosts_haveNone(_ exceptions: String) {
    for variable in ["no_proxy", "NO_PROXY"] {
      for url in ["http://radio.example/", "http://RADIO.example.:80/x"] {
        #expect(!applies(["http_proxy": "p", variable: exceptions], url), "\(url)")
      }
    }
  }

  @Test func otherHosts_haveOne() {
    #expect(applies(["http_proxy": "p", "no_proxy": "localhost,127.0.0.1,radio.example.org,"]))
  }
}
