import LinuxSupport
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("The sound keeps its distance from a sender")
struct SourcePaceTests {
    /// What is received ahead of the sound over a day, in seconds, once a minute.
    ///
    /// - Parameters:
    ///   - drift: by how much the sender's clock is faster than the sound's, in parts per million.
    ///   - jitter: by how much datagrams may be late.
    private func day(drift: Int, from start: Double, jitter: Double) -> (leads: [Double], paces: [Int]) {
        var random = SeededGenerator(seed: 11)
        var pace = SourcePace(generation: 1)
        var lead = start
        var leads: [Double] = []
        var paces: [Int] = []
        for second in 0..<24 * 3600 {
            lead += Double(drift - pace.pace) / 1e6
            let measured = lead - Double.random(in: 0...jitter, using: &random)
            pace.take(.nanoseconds(Int64(measured * 1e9)), at: .zero + .seconds(second))
            if second % 60 == 0 {
                leads.append(lead)
                paces.append(pace.pace)
            }
        }
        return (leads, paces)
    }

    @Test("over 24 hours nothing grows and nothing runs out", arguments: [-100, 0, 100, -800, 800], [0.3, 1.5])
    func bounded(drift: Int, start: Double) {
        for jitter in [0, 0.08] {
            let (leads, paces) = day(drift: drift, from: start, jitter: jitter)
            #expect(
                leads.allSatisfy { abs($0 - start) < 0.02 + Double(abs(drift)) * 60e-6 + jitter },
                "\(leads.min()!) to \(leads.max()!)")
            // The first ten minutes find it.
            let mean = Double(paces.dropFirst(10).reduce(0, +)) / Double(paces.count - 10)
            #expect(abs(mean - Double(drift)) < 5, "\(mean) ppm")
        }
    }

    @Test("a reserve that jitter would use up grows to two tenths of a second")
    func reserve() {
        let (leads, _) = day(drift: 0, from: 0.09, jitter: 0.08)
        #expect(leads.dropFirst(30).allSatisfy { (0.24...0.32).contains($0) }, "\(leads.dropFirst(30).min()!) to \(leads.max()!)")
    }

    @Test("a jump of the stamps, and a pause, are no drift")
    func jumps() {
        var pace = SourcePace(generation: 1)
        var now = HostTime.zero
        func play(_ seconds: Int, lead: MediaTime) {
            for _ in 0..<seconds * 5 {
                now = now + .milliseconds(200)
                pace.take(lead, at: now)
            }
        }
        play(60, lead: .seconds(1))
        play(60, lead: .seconds(9))
        #expect(pace.pace == 0)
        now = now + .seconds(30)
        play(60, lead: .milliseconds(9300))
        #expect(pace.pace == 0)
        play(30, lead: .milliseconds(9330))
        #expect(pace.pace == 500)
    }
}
