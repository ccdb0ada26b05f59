import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the spectrum and the levels of a sound.
@Suite struct SoundAnalysisTests {
  private var analysis = SoundAnalysis()
  private var now = MonotonicTime(nanoseconds: 1_000_000_000_000)

  init() { _ = analysis.prepare(isShown: true) }

  private mutating func hear(_ wave: inout SoundWave, events: Int = 6) {
    for _ in 0..<events {
      now = now + .milliseconds(33)
      analysis.advance(to: now)
      analysis.update(wave.event(), at: now)
    }
  }

  private var loudest: Int? {
    analysis.bands.indices.max { analysis.bands[$0].level < analysis.bands[$1].level }
  }

  @Test(arguments: [100, 440, 1_000, 4_000, 12_000]) mutating func aSineIsLoudestInItsBand(_ hertz: Float) throws {
    for rate in [44_100, 48_000] {
      analysis = SoundAnalysis()
      _ = analysis.prepare(isShown: true)
      var wave = SoundWave(hertz: Double(hertz), amplitude: 0.5)
      wave.rate = rate
      hear(&wave)
      let band = try #require(SpectrumBands.band(of: hertz))
      // At 100 Hz, a band is half as wide as the resolution of the spectrum.
      #expect(abs(try #require(loudest) - band) <= (hertz < 200 ? 1 : 0), "\(rate) Hz")
      if hertz > 400 { #expect(abs(analysis.bands[band].level + 6) < 1.5, "-6 dB of full scale") }
    }
  }

  @Test mutating func theMeterShowsPeakAndMeanPower() {
    var wave = SoundWave([.init(hertz: 1_000, left: 0.5, right: 0.05)])
    hear(&wave, events: 60)
    #expect(abs(analysis.left.peak + 6.02) < 0.1)
    #expect(abs(analysis.left.rms + 9.03) < 0.1, "the mean power of a sine is 3 dB below its peak")
    #expect(abs(analysis.right.peak + 26.02) < 0.1)
  }

  @Test mutating func withoutSoundEverythingFallsToRest_andNothingChangesThen() throws {
    #expect(analysis.nextChange == nil)
    var wave = SoundWave(hertz: 1_000, amplitude: 0.9)
    hear(&wave)
    var last = try #require(analysis.bands.map(\.level).max())
    var steps = 0
    while let change = analysis.nextChange, steps < 1_000 {
      #expect(change > now)
      now = change
      analysis.advance(to: now)
      let highest = try #require(analysis.bands.map(\.level).max())
      #expect(highest <= last)
      last = highest
      steps += 1
    }
    #expect((10..<200).contains(steps), "it takes some seconds, with at most 30 changes a second")
    #expect(analysis.bands.allSatisfy { $0 == SoundAnalysis.Band() })
    #expect(analysis.left == SoundAnalysis.ChannelLevel())
  }

  @Test mutating func missingSamplesAreNotJoined() throws {
    var wave = SoundWave(hertz: 1_000, amplitude: 0.5)
    hear(&wave)
    wave.sines = [.init(hertz: 5_000, left: 0.5, right: 0.5)]
    wave.skip(10_000)
    let before = analysis.bands[try #require(SpectrumBands.band(of: 1_000))].level
    hear(&wave, events: 3)
    #expect(loudest == SpectrumBands.band(of: 5_000))
    #expect(analysis.bands[try #require(SpectrumBands.band(of: 1_000))].level < before)
  }

  @Test mutating func soundOfAFaultyDaemonIsLimited() {
    for sound in [
      Sound(), Sound(sampleRate: 44_100, first: .max, left: "AAA", right: "AAAA"),
      Sound(sampleRate: -1, left: "AAAA", right: "AAAA"), Sound(sampleRate: .max, left: "AAAA", right: "AAAA"),
      Sound(sampleRate: 1, left: "/////", right: "!"),
      Sound(
        sampleRate: 8_000, first: .max - 1, left: String(repeating: "f39", count: 100_000),
        right: String(repeating: "AIA", count: 200_000)),
    ] {
      now = now + .milliseconds(33)
      analysis.update(sound, at: now)
    }
    #expect(analysis.left.peak <= 0.1)
  }
}
