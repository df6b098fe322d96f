import LinuxSupport
import MediaModel
import Testing

@testable import Sound

@Suite("The device is open only while there is sound")
@MainActor
struct ClaimedSinkTests {
    @Test("it is opened with the first sound, closed on release, and opened again with the next sound")
    func trace() throws {
        let loop = try MainLoop(time: .simulated)
        var opened = 0
        let sink = ClaimedSink(name: "test", clock: loop.clock) { _ in
        } open: { _ in
            opened += 1
            return NullSink(clock: loop.clock)
        }
        sink.volume = 0.5
        sink.flush()
        sink.pause()
        sink.play(at: .zero)
        #expect(opened == 0 && sink.timing() == nil && sink.room == 24_000)
        #expect(sink.enqueue([0, 0, 0, 0]) == 2)
        #expect(opened == 1 && sink.isClaimed && sink.name == "null")
        sink.release()
        #expect(!sink.isClaimed)
        _ = sink.enqueue([0, 0])
        #expect(opened == 2)
        sink.close()
        #expect(sink.enqueue([0, 0]) == 0 && !sink.isClaimed)
    }

    @Test("a device that cannot be opened is reported once, and playback time continues without it")
    func failure() throws {
        let loop = try MainLoop(time: .simulated)
        var failures = 0
        let sink = ClaimedSink(name: "test", clock: loop.clock) { _ in
            failures += 1
        } open: { _ throws(MediaError) in
            throw MediaError(.soundLost, "It was made to fail.")
        }
        #expect(sink.enqueue([0, 0]) == 1 && sink.enqueue([0, 0]) == 1)
        #expect(failures == 1)
    }

    /// Lets seconds pass.
    private func pass(_ seconds: Int64, on loop: MainLoop) {
        var isOver = false
        loop.clock.schedule(after: .seconds(seconds), rank: .display) { isOver = true }
        loop.run(until: { isOver })
    }

    /// Where a card may be plugged in.
    @MainActor
    private final class Socket {
        var hasCard = false
    }

    @Test("a device that cannot be opened is tried again with longer and longer pauses, and takes over with the next flush")
    func comesLate() throws {
        let loop = try MainLoop(time: .simulated)
        var attempts: [HostTime] = []
        var found: Recorder?
        var reasons = 0
        let socket = Socket()
        let sink = ClaimedSink(name: "test", clock: loop.clock) { _ in
            reasons += 1
        } open: { format throws(MediaError) in
            attempts.append(loop.clock.now)
            guard socket.hasCard else { throw MediaError(.soundLost, "It was made to fail.") }
            found = Recorder("device", format)
            return found!
        }
        var changes: [AudioDeviceChange] = []
        let listening = sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        #expect(sink.enqueue([0, 0]) == 1 && sink.name == "none" && changes == [.absent])
        pass(3600, on: loop)
        #expect(attempts.prefix(6).map(\.nanoseconds) == [0, 1, 3, 7, 15, 31].map { $0 * 1_000_000_000 })
        #expect((120...130).contains(attempts.count))
        #expect(reasons == 1 && changes == [.absent])
        socket.hasCard = true
        pass(30, on: loop)
        let device = try #require(found)
        #expect(changes == [.absent, .found] && sink.name == "none")
        #expect(sink.enqueue([0, 0]) == 1 && device.calls.isEmpty, "the substitute plays until the flush")
        sink.volume = 0.5
        sink.flush()
        #expect(device.calls == ["volume 0.5", "flush"] && sink.name == "device" && sink.room == 77)
        let count = attempts.count
        pass(3600, on: loop)
        #expect(attempts.count == count)
        // The next absence is told again.
        sink.release()
        socket.hasCard = false
        _ = sink.enqueue([0, 0])
        #expect(reasons == 2 && changes == [.absent, .found, .absent])
    }

    @Test("a search ends when the sink is released or closed, and a device that was found is closed", arguments: [false, true])
    func searchEnds(isFound: Bool) throws {
        let loop = try MainLoop(time: .simulated)
        let socket = Socket()
        var attempts = 0
        var devices: [Recorder] = []
        let sink = ClaimedSink(name: "test", clock: loop.clock) { _ in
        } open: { format throws(MediaError) in
            attempts += 1
            guard socket.hasCard else { throw MediaError(.soundLost, "It was made to fail.") }
            devices.append(Recorder("device", format))
            return devices.last!
        }
        _ = sink.enqueue([0, 0])
        socket.hasCard = isFound
        pass(100, on: loop)
        sink.release()
        #expect(!sink.isClaimed && devices.map(\.calls) == (isFound ? [["close"]] : []))
        let count = attempts
        pass(100, on: loop)
        #expect(attempts == count)
        sink.close()
        pass(100, on: loop)
        #expect(attempts == count)
    }

    @Test("a sound of the interface opens the device; what cannot be opened is not told, and tried again after 30 s")
    func interfaceSound() throws {
        let loop = try MainLoop(time: .simulated)
        let socket = Socket()
        var attempts = 0, failures = 0
        var devices: [Recorder] = []
        let door = Door()
        let sink = ClaimedSink(name: "test", clock: loop.clock, door: door) { _ in
            failures += 1
        } open: { format throws(MediaError) in
            attempts += 1
            guard socket.hasCard else { throw MediaError(.soundLost, "It was made to fail.") }
            devices.append(Recorder("device", format))
            return devices.last!
        }
        var changes: [AudioDeviceChange] = []
        let listening = sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        sink.mix(.move, asked: .zero)
        sink.mix(.move, asked: .zero)
        #expect(attempts == 1 && failures == 0 && changes.isEmpty && !sink.isClaimed && !sink.occupiesCard)
        socket.hasCard = true
        pass(29, on: loop)
        sink.mix(.move, asked: loop.clock.now)
        #expect(attempts == 1)
        pass(1, on: loop)
        sink.volume = 0.5
        sink.mix(.choose, asked: loop.clock.now)
        sink.mix(.edge, asked: loop.clock.now)
        #expect(attempts == 2 && devices[0].calls == ["volume 0.5", "mix choose", "mix edge"] && sink.occupiesCard)
        // What plays then takes the open device.
        #expect(sink.enqueue([0, 0]) == 1 && devices.count == 1)
        let passage = try #require(sink.passage(codec: "ac3", sampleRate: 48_000))
        try sink.pass(passage)
        sink.mix(.move, asked: loop.clock.now)
        #expect(door.opened[0].calls == ["volume 0.5"] && devices.count == 1, "encoded sound has none")
        try sink.pass(nil)
        sink.close()
        sink.mix(.move, asked: loop.clock.now)
        #expect(devices.count == 1 && !sink.isClaimed)
    }

    /// A device that records what it is told.
    private final class Recorder: AudioSink {
        let name: String
        let format: AudioFormat
        var occupiesCard: Bool { true }
        var calls: [String] = []
        var volume: Float = 1 { didSet { calls.append("volume \(volume)") } }
        let deviceChanges = EventSource<AudioDeviceChange>()

        init(_ name: String, _ format: AudioFormat) { (self.name, self.format) = (name, format) }

        var room: Int { 77 }
        func enqueue(_ samples: ArraySlice<Float>) -> Int { samples.count / format.channels }
        func play(at time: HostTime) { calls.append("play") }
        func pause() { calls.append("pause") }
        func flush() { calls.append("flush") }
        func rise() { calls.append("rise") }
        func mix(_ sound: NavigationSound, asked: HostTime) { calls.append("mix \(sound.rawValue)") }
        func timing() -> AudioTiming? { AudioTiming(frame: 5, hostTime: .zero, isRunning: true, underruns: 0) }
        func close() { calls.append("close") }
    }

    private final class Door: PassthroughDoor {
        var opened: [Recorder] = []
        var isShut = false

        func passage(codec: String, sampleRate: Int) -> SoundPassage? {
            IEC61937.Codec(rawValue: codec).map { .iec61937($0, sampleRate: sampleRate) }
        }

        func open(_ passage: SoundPassage) throws(MediaError) -> any AudioSink {
            guard !isShut else { throw MediaError(.soundLost, "It was made to fail.") }
            opened.append(Recorder("door", passage.format))
            return opened.last!
        }
    }

    @Test("an open device receives every order, and a device opened later receives the earlier settings")
    func orders() throws {
        let loop = try MainLoop(time: .simulated)
        var devices: [Recorder] = []
        let sink = ClaimedSink(name: "test", clock: loop.clock) { _ in
        } open: { format in
            devices.append(Recorder("device", format))
            return devices.last!
        }
        var changes: [AudioDeviceChange] = []
        let listening = sink.deviceChanges.listen { changes.append($0) }
        sink.volume = 0.25
        sink.rise()
        #expect(sink.name == "test" && sink.enqueue([]) == 0 && devices.isEmpty)
        #expect(sink.enqueue([0, 0]) == 1 && devices[0].calls == ["volume 0.25", "rise"])
        #expect(sink.name == "device" && sink.room == 77 && sink.timing()?.frame == 5)
        sink.play(at: .zero)
        sink.pause()
        sink.flush()
        sink.rise()
        sink.volume = 1
        devices[0].deviceChanges.send(.lost)
        #expect(devices[0].calls.dropFirst(2) == ["play", "pause", "flush", "rise", "volume 1.0"] && changes == [.lost])
        listening.cancel()
        devices[0].deviceChanges.send(.returned)
        #expect(changes == [.lost])
        // A flush ends the rise, so that the next device begins with a beginning.
        sink.flush()
        sink.release()
        #expect(devices[0].calls.suffix(2) == ["flush", "close"] && sink.room == 24_000)
        _ = sink.enqueue([0, 0])
        #expect(devices.count == 2 && devices[1].calls == ["volume 1.0"])
        sink.close()
        #expect(devices[1].calls.last == "close")
    }

    @Test("the format is asked for again each time the device was closed")
    func formats() throws {
        let loop = try MainLoop(time: .simulated)
        /// The device, whose channels change and which counts how often it is asked.
        @MainActor final class Device {
            var channels = 6
            var asked = 0
        }
        let device = Device()
        let sink = ClaimedSink(
            name: "test",
            findFormat: {
                device.asked += 1
                return AudioFormat(sampleRate: 48_000, channels: device.channels)
            }, clock: loop.clock
        ) { _ in
        } open: {
            Recorder("device", $0)
        }
        #expect(sink.format.channels == 6 && sink.enqueue([0, 0, 0, 0, 0, 0]) == 1 && sink.room == 77)
        device.channels = 2
        #expect(sink.format.channels == 6)
        sink.release()
        #expect(sink.format.channels == 2 && sink.room == 24_000 && device.asked == 2)
        sink.close()
        #expect(device.asked == 2)
    }

    @Test("a passage is opened at once, the device for samples with the first sound; only one of them is open")
    func passing() throws {
        let loop = try MainLoop(time: .simulated)
        let door = Door()
        var devices: [Recorder] = []
        let sink = ClaimedSink(name: "test", clock: loop.clock, door: door) { _ in
        } open: { format in
            devices.append(Recorder("device", format))
            return devices.last!
        }
        let passage = try #require(sink.passage(codec: "eac3", sampleRate: 48_000))
        #expect(sink.passage(codec: "aac", sampleRate: 48_000) == nil)
        _ = sink.enqueue([0, 0])
        #expect(sink.volume == 1 && devices[0].calls == ["volume 1.0"])
        try sink.pass(passage)
        #expect(devices[0].calls.last == "close" && door.opened.count == 1 && sink.isClaimed && sink.format.sampleRate == 192_000)
        // Closed in between, it is opened for bursts again.
        sink.release()
        #expect(door.opened[0].calls.last == "close" && sink.format.sampleRate == 192_000)
        _ = sink.enqueue([0, 0])
        #expect(door.opened.count == 2 && devices.count == 1)
        try sink.pass(nil)
        #expect(!sink.isClaimed && sink.format.sampleRate == 48_000 && door.opened[1].calls.last == "close")
        _ = sink.enqueue([0, 0])
        #expect(devices.count == 2)
    }

    @Test("when a passage cannot be opened the sink plays samples")
    func shutDoor() throws {
        let loop = try MainLoop(time: .simulated)
        let door = Door()
        door.isShut = true
        let sink = ClaimedSink(name: "test", clock: loop.clock, door: door) { _ in
        } open: {
            Recorder("device", $0)
        }
        let passage = try #require(sink.passage(codec: "ac3", sampleRate: 44_100))
        #expect(throws: MediaError.self) { try sink.pass(passage) }
        #expect(sink.format == AudioFormat(sampleRate: 48_000, channels: 2) && !sink.isClaimed)
        #expect(sink.enqueue([0, 0]) == 1 && sink.name == "device")
        sink.close()
        door.isShut = false
        try sink.pass(passage)
        #expect(door.opened.isEmpty && sink.enqueue([0, 0]) == 0)
        // Without a door there is no passage.
        let closed = ClaimedSink(name: "test", clock: loop.clock) { _ in
        } open: {
            Recorder("device", $0)
        }
        #expect(closed.passage(codec: "ac3", sampleRate: 48_000) == nil)
    }
}
