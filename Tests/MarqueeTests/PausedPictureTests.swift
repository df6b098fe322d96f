import Appliance
import BoxModel
import LinuxSupport
import MediaTime
import TestSupport
import Testing

/// FF and RW in a pause, with the player and its decoders.
@Suite(
    "A paused picture moves by frames, slowly and backward", .serialized,
    .enabled(if: DemoContent.isPresent, Comment(rawValue: DemoContent.absence)))
@MainActor
struct PausedPictureTests {
    /// The frames that come onto the screen in a stretch of the box's clock, counted from the start of the programme.
    private func frames(_ channel: DemoChannel, _ start: Double, _ end: Double) -> [Int] {
        channel.frames.filter { $0.flip > start && $0.flip < end }.map { Int(($0.asset * DemoChannel.rate).rounded()) }
    }

    @Test("taps step single frames; held, each frame is shown once, in its order, at half speed; then it plays on from there")
    func film() throws {
        let channel = try DemoChannel(
            keys: "10 pause\n11 ff\n12 ff\n13 rw\n14 ff hold 2.4\n18 rw hold 2.4\n22 play\n", until: 26)
        let stood = try #require(frames(channel, 0, 11).last)
        #expect(frames(channel, 11, 14) == [stood + 1, stood + 2, stood + 1])
        // Two seconds after the hold was recognised.
        let forward = frames(channel, 14, 18)
        #expect((23...26).contains(forward.count), "\(forward)")
        #expect(forward == Array(stood + 2..<stood + 2 + forward.count))
        let turn = try #require(forward.last)
        // The picture that stands is the first one of the other direction too.
        let backward = Array(frames(channel, 18, 22).drop { $0 == turn })
        #expect((20...26).contains(backward.count), "\(backward)")
        #expect(backward == (1...max(backward.count, 1)).map { turn - $0 })
        #expect(
            channel.facts(.scan).map(\.fact) == [.scan(Ratio(1, 2)), .scan(nil), .scan(Ratio(-1, 2)), .scan(nil)])
        let after = frames(channel, 22, 26)
        #expect(after.count > 90 && after == Array((after.first ?? 0)..<(after.first ?? 0) + after.count))
        #expect(abs(try #require(after.first) - (turn - backward.count)) <= 1, "it plays on from where it stood")
        #expect(channel.facts(.seek).isEmpty)
    }

    /// The first advertisement of the demo's episode is from 20 to 30 s.
    @Test(
        "slowly backward it stops at the first frame, of the programme and behind an advertisement",
        arguments: [(1, 0), (31, 30)])
    func backward(from start: Int, to end: Int) throws {
        let channel = try DemoChannel(keys: "\(start) pause\n\(start + 1) rw hold 6\n", until: start + 8)
        #expect(frames(channel, Double(start), Double(start + 8)).last == end * Int(DemoChannel.rate))
    }
}
