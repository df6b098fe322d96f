import LinuxSupport
import MediaModel
import Testing

@testable import Sound

private enum NullDevice {
    /// Whether alsa-lib's configuration defines it.
    static let isPresent = (try? ALSADevice(name: "null", sampleRate: 48_000, channels: 2, library: InstalledALSA())) != nil
}

/// alsa-lib's device `null` has no clock: it accepts frames without limit.
@Suite(
    "The ALSA sink on alsa-lib's null device", .serialized,
    .enabled(if: NullDevice.isPresent, "alsa-lib has no configuration here"))
@MainActor
struct NullDeviceTests {
    private let loop: MainLoop
    private let sink: ALSASink

    private let remarks = Remarks()

    init() throws {
        loop = try MainLoop(time: .real)
        sink = try ALSASink(device: "null", loop: loop) { [remarks] in remarks.lines.append($0) }
    }

    @MainActor
    private final class Remarks {
        var lines: [String] = []
    }

    /// Runs the loop until a condition holds.
    private func reaches(_ isDone: @escaping () -> Bool) -> Bool {
        var isLate = false
        let limit = loop.clock.schedule(after: .seconds(20)) { isLate = true }
        func look() { loop.clock.schedule(after: .milliseconds(2)) { if !isDone(), !isLate { look() } } }
        look()
        loop.run(until: { isLate || isDone() })
        limit.cancel()
        return !isLate
    }

    private func enqueue(_ frames: Int) -> Int { sink.enqueue(ArraySlice(repeating: 0.25, count: 2 * frames)) }

    @Test("half a second is accepted, and kept until playback starts")
    func room() {
        defer { sink.close() }
        #expect(
            sink.name == "alsa:null" && sink.format == AudioFormat(sampleRate: 48_000, channels: 2)
                && sink.layoutWords == "2 channels")
        #expect(sink.room == 24_000 && sink.timing() == nil)
        #expect(enqueue(10_000) == 10_000 && sink.room == 14_000)
        #expect(enqueue(30_000) == 14_000 && sink.room == 0 && enqueue(1) == 0)
        #expect(sink.timing() == nil)
    }

    @Test("sound takes its time, and the log says why once")
    func paced() {
        defer { sink.close() }
        #expect(reaches { !remarks.lines.isEmpty })
        #expect(
            remarks.lines == [
                "the sound device null has no clock, because it takes sound faster than it can be heard; it is fed in real time"
            ])
        let begin = loop.clock.now
        #expect(enqueue(24_000) == 24_000)
        sink.play(at: begin)
        #expect(reaches { sink.timing()?.frame == 24_000 })
        #expect(loop.clock.now - begin >= .milliseconds(499))
        #expect(remarks.lines.count == 1)
    }

    @Test("played frames are counted, also after an empty queue and after a pause")
    func played() {
        defer { sink.close() }
        _ = enqueue(10_000)
        sink.play(at: loop.clock.now)
        #expect(reaches { sink.timing()?.frame == 10_000 } && reaches { sink.room == 24_000 })
        #expect(sink.timing()?.isRunning == false)
        _ = enqueue(2000)
        #expect(reaches { sink.timing()?.frame == 12_000 })
        sink.pause()
        // The device says that it can take back what it has played: the position may be at the beginning already.
        #expect(sink.timing()?.isRunning != true)
        _ = enqueue(3000)
        sink.play(at: loop.clock.now)
        #expect(reaches { sink.timing()?.frame == 15_000 })
    }

    @Test("a flush discards the queue and restarts counting at zero")
    func flushed() {
        defer { sink.close() }
        _ = enqueue(5000)
        sink.flush()
        #expect(sink.timing() == nil && sink.room == 24_000)
        sink.rise()
        _ = enqueue(700)
        sink.play(at: loop.clock.now)
        #expect(reaches { sink.timing()?.frame == 700 })
        sink.flush()
        #expect(sink.timing() == nil)
    }

    @Test("a sink can be closed twice")
    func closed() {
        sink.close()
        sink.close()
    }

    @Test("a device for words takes them as they are")
    func carrying() throws {
        sink.close()
        let device = try ALSADevice(name: "null", sampleRate: 48_000, channels: 2, isCarrying: true, library: InstalledALSA())
        #expect(device.encoding == .signed16 && device.route == nil && device.card == nil && device.name == "null")
        let plain = try ALSADevice(
            name: "null", sampleRate: 48_000, channels: 6, most: 2, bufferMilliseconds: 100, library: InstalledALSA())
        #expect(
            plain.encoding == .signed32 && plain.route?.inputs == 6 && plain.route?.outputs == 2 && plain.bufferFrames == 4800)
        #expect(
            plain.status().state == .prepared && plain.available() == 4800 && plain.start() == 0
                && plain.status().state == .running)
        let wide = try ALSADevice(name: "null", sampleRate: 48_000, channels: 6, library: InstalledALSA())
        #expect(wide.route == nil || wide.route?.outputs == 6)
    }

    @Test("an error names the call and the device; an errno gives the state of the device")
    func failures() {
        sink.close()
        let error = #expect(throws: ALSAError.self) {
            try ALSADevice(name: "no such device", sampleRate: 48_000, channels: 2, library: InstalledALSA())
        }
        #expect(error?.call == "snd_pcm_open" && error?.device == "no such device" && (error?.code ?? 0) > 0)
        #expect(error?.description.hasPrefix("snd_pcm_open on no such device failed: ") == true)
        #expect(
            ALSADevice.state(ofFailure: -32) == .underrun && ALSADevice.state(ofFailure: -86) == .suspended
                && ALSADevice.state(ofFailure: -19) == .lost)
    }
}
