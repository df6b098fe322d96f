import CALSA
import Glibc
import LinuxSupport
import MediaModel
import Testing

@testable import Sound

/// The sink on devices that exist only in memory.
@Suite("The ALSA sink and the devices of a machine")
@MainActor
struct ALSASinkDeviceTests {
    private let loop: MainLoop

    init() throws { loop = try MainLoop(time: .real) }

    private func open(
        _ library: SoftwareALSA, device: String? = nil, surround: SurroundOutput? = nil, channels: Int = 2,
        onRemark: (@MainActor (String) -> Void)? = nil
    ) throws(MediaError) -> ALSASink {
        try ALSASink(
            device: device, surround: surround, AudioFormat(sampleRate: 48_000, channels: channels), loop: loop, library: library,
            isCarrying: false,
            onRemark: onRemark)
    }

    /// Runs the loop until a condition holds. A condition that has held once is not asked again: it may itself have ended what
    /// it looked for.
    private func reaches(_ isDone: @escaping () -> Bool) -> Bool {
        var isLate = false, isReached = false
        let limit = loop.clock.schedule(after: .seconds(60)) { isLate = true }
        func holds() -> Bool {
            if !isReached { isReached = isDone() }
            return isReached
        }
        func look() { loop.clock.schedule(after: .milliseconds(2)) { if !holds(), !isLate { look() } } }
        look()
        loop.run(until: { isLate || holds() })
        limit.cancel()
        return !isLate
    }

    /// Takes the device away. Returns when the sound thread has lost it and has twice tried in vain to open it again.
    private func unplug(_ name: String, _ library: SoftwareALSA) {
        let pcm = library.pcm
        let asked = library.monitor.update { state in
            state.devices[name] = nil
            return state.asked.count
        }
        pcm.enter(SND_PCM_STATE_DISCONNECTED)
        library.monitor.wait { $0.asked.count >= asked + 2 ? () : nil }
    }

    // MARK: Opening

    @Test("without a name the default device is tried, then the HDMI outputs of all cards, then the cards themselves")
    func order() throws {
        let card = SoftwareCard([])
        let library = SoftwareALSA(devices: ["plughw:CARD=4": .init()], cards: [1: card, 4: card])
        let sink = try open(library)
        #expect(library.monitor.read(\.asked) == ["default", "hdmi:CARD=1", "hdmi:CARD=4", "plughw:CARD=1", "plughw:CARD=4"])
        #expect(sink.name == "alsa:plughw:CARD=4" && sink.layoutWords == "2 channels")
        sink.close()
    }

    /// A card with digital outputs, some of which have a screen.
    private func card(screens: [Bool]) -> SoftwareCard {
        SoftwareCard(
            screens.enumerated().map { index, hasScreen in
                let bytes = hasScreen ? PassthroughOutputTests.eld("TV", [PassthroughOutputTests.samples]) : []
                return SoftwareCard.Control(
                    name: "ELD", kind: .bytes, values: (bytes + [UInt8](repeating: 0, count: 96 - bytes.count)).map(Int.init),
                    device: index, isMixer: false)
            })
    }

    @Test("a box whose screen is on the second HDMI connector plays there, and on the default device while that cannot be opened")
    func secondConnector() throws {
        let library = SoftwareALSA(
            devices: ["default": .init(), "hdmi:CARD=2,DEV=1": .init()],
            cards: [1: card(screens: [false]), 2: card(screens: [false, true])], cardOfDevice: ["default": 1])
        let sink = try open(library)
        #expect(sink.name == "alsa:hdmi:CARD=2,DEV=1")
        #expect(library.monitor.read { $0.opened.first?.pcm.monitor.read(\.closings) } == 1)
        sink.close()
        library.monitor.update { $0.devices["hdmi:CARD=2,DEV=1"] = nil }
        let second = try open(library)
        #expect(second.name == "alsa:default")
        second.close()
        #expect(library.pcm.monitor.read(\.closings) == 1)
    }

    @Test(
        "the default device stays if it has a screen, no output has one, a plug-in is behind it, or a person chose it",
        arguments: [([true], [true], 1), ([false], [false], 1), ([false], [true], nil), ([false], [true], 2)]
            as [([Bool], [Bool], Int32?)])
    func settledDefault(first: [Bool], second: [Bool], behind: Int32?) throws {
        let library = SoftwareALSA(
            devices: ["default": .init(), "hdmi:CARD=2,DEV=0": .init()],
            cards: [1: card(screens: first), 2: card(screens: second)],
            cardOfDevice: behind.map { ["default": $0] } ?? [:])
        let sink = try open(library)
        #expect(sink.name == "alsa:default" && library.monitor.read(\.asked) == ["default"])
        sink.close()
    }

    @Test("without a default device, an HDMI output with a screen comes before those without")
    func screenFirst() throws {
        let library = SoftwareALSA(
            devices: ["hdmi:CARD=1": .init(), "hdmi:CARD=2,DEV=0": .init()],
            cards: [1: card(screens: [false]), 2: card(screens: [true])])
        let sink = try open(library)
        #expect(sink.name == "alsa:hdmi:CARD=2,DEV=0")
        sink.close()
    }

    @Test("a device that was named is the only one tried; without one that opens, the first failure is told with advice")
    func failures() throws {
        let library = SoftwareALSA(devices: ["default": .init(rates: [44_100])], cards: [0: SoftwareCard([])])
        let named = #expect(throws: MediaError.self) { try open(library, device: "hw:7") }
        #expect(library.monitor.read(\.asked) == ["hw:7"] && named?.code == .soundLost)
        #expect("\(named!)".contains("on hw:7: snd_pcm_open on hw:7 failed") && "\(named!)".contains("aplay -L"))
        let any = #expect(throws: MediaError.self) { try open(library) }
        #expect(
            "\(any!)".contains(
                "No sound at 48000 Hz in 2 channels could be opened on any device: snd_pcm_hw_params_set_rate on default failed"))
        #expect("\(any!)".contains("--audio null") && library.pcm.monitor.read(\.closings) == 1)
    }

    @Test("the output for more channels is tried first, and only it is asked for more than two; the rest is mixed")
    func surround() throws {
        let output = SurroundOutput(device: "hdmi:CARD=1", channels: 6, screenName: "AVR")
        let wide = SoftwarePCM.Abilities(channels: [2, 6])
        let library = SoftwareALSA(devices: ["default": wide, "hdmi:CARD=1": wide])
        let sink = try open(library, surround: output, channels: 6)
        #expect(sink.name == "alsa:hdmi:CARD=1" && sink.layoutWords == "6 channels")
        #expect(library.pcm.monitor.read(\.parameters)?.channels == 6)
        sink.close()
        library.monitor.update { $0.devices["hdmi:CARD=1"] = nil }
        let mixed = try open(library, surround: output, channels: 6)
        #expect(mixed.name == "alsa:default" && mixed.layoutWords == "6 channels mixed to 2")
        #expect(library.pcm.monitor.read(\.parameters)?.channels == 2)
        mixed.close()
        let named = try open(
            library, device: "default", surround: .init(device: "default", channels: 6, screenName: ""), channels: 6)
        #expect(library.monitor.read(\.asked).suffix(3) == ["hdmi:CARD=1", "default", "default"])
        #expect(library.pcm.monitor.read(\.parameters)?.channels == 6)
        named.close()
    }

    @Test("the device is closed with the sink, also when the sink is released without being closed")
    func closed() throws {
        let library = SoftwareALSA(devices: ["default": .init()])
        var sink: ALSASink? = try open(library)
        sink?.close()
        #expect(library.pcm.monitor.read(\.closings) == 1)
        sink = nil
        sink = try open(library)
        #expect(library.pcm.monitor.read(\.closings) == 0)
        sink = nil
        #expect(library.pcm.monitor.read(\.closings) == 1 && library.monitor.read(\.opened.count) == 2)
    }

    // MARK: Playing

    @Test("playback runs from the first frame that is heard, and not after the order to pause")
    func running() throws {
        let library = SoftwareALSA(devices: ["default": .init()])
        let sink = try open(library)
        defer { sink.close() }
        #expect(sink.enqueue(ArraySlice(repeating: 0.5, count: 2 * 24_000)) == 24_000 && sink.room == 0)
        // Of the 2400 frames in the device, the silence before the sound has been heard.
        library.pcm.monitor.update { $0.delay = 1000 }
        sink.play(at: loop.clock.now)
        var timings: [Bool?] = []
        let hasRun = reaches {
            // The position is reported anew with each round.
            library.pcm.wantFrames()
            guard sink.timing()?.isRunning == true else { return false }
            sink.pause()
            timings = [sink.timing()?.isRunning]
            return true
        }
        #expect(hasRun && timings != [true])
    }

    @Test("the volume is limited to the range from silence to full")
    func volume() throws {
        let library = SoftwareALSA(devices: ["default": .init(formats: [SND_PCM_FORMAT_FLOAT_LE])])
        let sink = try open(library)
        defer { sink.close() }
        sink.volume = 7
        _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 2 * 4800))
        sink.play(at: loop.clock.now)
        /// The loudest sample that was written.
        func peak() -> Float {
            library.pcm.monitor.read(\.bytes).withUnsafeBytes { $0.bindMemory(to: Float.self).map { abs($0) }.max() ?? 0 }
        }
        #expect(reaches { peak() > 0 } && peak() == 0.5)
    }

    // MARK: Loss and return

    @Test("a lost device is reported with the reason, and so is its return, to which the sink plays on")
    func lost() throws {
        let abilities = SoftwarePCM.Abilities(channels: [2, 6])
        let library = SoftwareALSA(devices: ["hdmi:CARD=1": abilities])
        var remarks: [String] = [], changes: [AudioDeviceChange] = []
        let sink = try open(library, surround: .init(device: "hdmi:CARD=1", channels: 6, screenName: ""), channels: 6) {
            remarks.append($0)
        }
        defer { sink.close() }
        let listening = sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        let first = library.pcm
        unplug("hdmi:CARD=1", library)
        #expect(reaches { changes == [.lost] } && first.monitor.read(\.closings) == 1)
        #expect(
            remarks.count == 1
                && remarks[0].hasPrefix("the sound device cannot be opened again: snd_pcm_open on hdmi:CARD=1 failed"))
        #expect(sink.enqueue(ArraySlice(repeating: 0.5, count: 6 * 100)) == 100)
        library.monitor.update { $0.devices["hdmi:CARD=1"] = abilities }
        #expect(reaches { changes == [.lost, .returned] } && remarks.count == 1)
        #expect(library.pcm.monitor.read(\.parameters)?.channels == 6)
        sink.play(at: loop.clock.now)
        #expect(reaches { library.pcm.monitor.read { $0.bytes.contains { $0 != 0 } } })
    }

    @Test(
        "a device that refuses everything without being gone is lost after a second, and opened again",
        arguments: [EINVAL, ENODEV, EIO, ENOMEM])
    func refusing(code: Int32) throws {
        let library = SoftwareALSA(devices: ["default": .init()])
        var changes: [AudioDeviceChange] = []
        let sink = try open(library)
        defer { sink.close() }
        let listening = sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        #expect(sink.enqueue(ArraySlice(repeating: 0.5, count: 2 * 24_000)) == 24_000)
        sink.play(at: loop.clock.now)
        let first = library.pcm
        first.monitor.update { $0.abilities.failures[.prepare] = -code }
        first.enter(SND_PCM_STATE_XRUN)
        #expect(reaches { changes == [.lost, .returned] } && first.monitor.read(\.closings) == 1)
        #expect(reaches { library.pcm.monitor.read { $0.bytes.contains { $0 != 0 } } })
        // One that opens and refuses from the start is not back.
        library.monitor.update { $0.devices["default"] = .init(failures: [.start: -code]) }
        library.pcm.monitor.update { $0.abilities.failures[.prepare] = -code }
        let asked = library.monitor.read(\.asked.count)
        library.pcm.enter(SND_PCM_STATE_XRUN)
        #expect(reaches { library.monitor.read(\.asked.count) >= asked + 2 })
        #expect(changes == [.lost, .returned, .lost])
        library.monitor.update { $0.devices["default"] = .init() }
        #expect(reaches { changes == [.lost, .returned, .lost, .returned] })
    }

    @Test("a device that was gone while the main loop was busy was lost, and has come back", .timeLimit(.minutes(5)))
    func lostUnseen() throws {
        let library = SoftwareALSA(devices: ["default": .init()])
        var changes: [AudioDeviceChange] = []
        let sink = try open(library)
        defer { sink.close() }
        let listening = sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        library.pcm.enter(SND_PCM_STATE_DISCONNECTED)
        // The loop does not run until the sound thread has the device again.
        _ = library.monitor.wait { $0.opened.count == 2 ? true : nil }
        #expect(reaches { changes.count >= 2 } && changes == [.lost, .returned])
    }

    @Test("a second loss is not explained by the first")
    func lostAgain() throws {
        let library = SoftwareALSA(devices: ["default": .init()])
        var remarks: [String] = [], changes: [AudioDeviceChange] = []
        let sink = try open(library) { remarks.append($0) }
        defer { sink.close() }
        let listening = sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        unplug("default", library)
        #expect(reaches { changes == [.lost] })
        library.monitor.update { $0.devices["default"] = .init() }
        #expect(reaches { changes == [.lost, .returned] })
        library.monitor.update { $0.holdsOpening = true }
        library.pcm.enter(SND_PCM_STATE_DISCONNECTED)
        #expect(reaches { changes == [.lost, .returned, .lost] } && remarks.last == "the sound device no longer answers")
        library.monitor.update { $0.holdsOpening = false }
        #expect(reaches { changes == [.lost, .returned, .lost, .returned] } && remarks.count == 2)
    }

    @Test("a sink that is closed reports no loss")
    func closedWhileLost() throws {
        let library = SoftwareALSA(devices: ["default": .init()])
        var changes: [AudioDeviceChange] = []
        let sink = try open(library)
        let listening = sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        unplug("default", library)
        sink.close()
        // The event of the loss was sent before this one.
        var isDone = false
        loop.clock.schedule(after: .milliseconds(20)) { isDone = true }
        loop.run(until: { isDone })
        #expect(changes.isEmpty)
    }

    @Test("the card behind the device is unmuted when it is opened and when it is back")
    func unmuting() throws {
        let card = SoftwareCard([.playbackSwitch("Master", [0])])
        let library = SoftwareALSA(devices: ["default": .init()], cards: [5: card], cardOfDevice: ["default": 5])
        var remarks: [String] = []
        let sink = try open(library) { remarks.append($0) }
        defer { sink.close() }
        let unmuted = "the mixer of card 5 (Test) was muted: Master switched on"
        #expect(remarks == [unmuted] && card.values("Master Playback Switch") == [1])
        unplug("default", library)
        #expect(reaches { remarks.count == 2 })
        // Another card is in its place.
        let other = SoftwareCard(id: "Other", [.playbackSwitch("Master", [0])])
        library.monitor.update { state in
            state.devices["default"] = .init()
            state.cards[6] = other
            state.cardOfDevice["default"] = 6
        }
        #expect(reaches { remarks.count == 3 } && remarks[2] == "the mixer of card 6 (Other) was muted: Master switched on")
        #expect(other.values("Master Playback Switch") == [1])
    }

    @Test("without a listener for remarks the mixer is left as it is")
    func mixerKept() throws {
        let card = SoftwareCard([.playbackSwitch("Master", [0])])
        try open(SoftwareALSA(devices: ["default": .init()], cards: [5: card], cardOfDevice: ["default": 5])).close()
        #expect(card.values("Master Playback Switch") == [0] && card.monitor.read(\.changes) == 0)
    }
}

@Suite("The position of playback by the last report of the sound thread")
struct ALSAPositionTests {
    private func at(_ milliseconds: Int) -> HostTime { HostTime.zero + .milliseconds(milliseconds) }

    /// The timing at an instant by a report of frames 1000..<1100, whose first is heard at 500 ms, at 1000 frames a second.
    private func timing(_ now: HostTime, frame: Int = 1000, end: Int = 1100, flushed: Int = 900, isPlaying: Bool = true)
        -> AudioTiming?
    {
        ALSAExchange.Report(frame: frame, end: end, underruns: 3)
            .timing(at: now, anchor: at(500), flushed: flushed, isPlaying: isPlaying, sampleRate: 1000)
    }

    @Test("frames are counted on from the report to the end of the sound in the device")
    func counted() {
        #expect(timing(at(500)) == AudioTiming(frame: 100, hostTime: at(500), isRunning: true, underruns: 3))
        #expect(
            timing(at(540) + .microseconds(300)) == AudioTiming(frame: 140, hostTime: at(540), isRunning: true, underruns: 3))
        #expect(timing(at(599))?.isRunning == true)
        #expect(timing(at(600)) == AudioTiming(frame: 200, hostTime: at(600), isRunning: false, underruns: 3))
        #expect(timing(at(900)) == AudioTiming(frame: 200, hostTime: at(600), isRunning: false, underruns: 3))
    }

    @Test("before the first frame is heard, and in a pause, nothing runs")
    func still() {
        #expect(timing(at(499)) == AudioTiming(frame: 100, hostTime: at(500), isRunning: false, underruns: 3))
        #expect(timing(at(540), isPlaying: false)?.isRunning == false)
        #expect(
            timing(at(700), frame: 1000, end: 1000) == AudioTiming(frame: 100, hostTime: at(700), isRunning: false, underruns: 3))
    }

    @Test("there is no position before the first frame since the flush is heard, or by a report from before it")
    func unheard() {
        #expect(timing(at(499), flushed: 1000) == nil && timing(at(540), frame: 1000, end: 1000, flushed: 1000) == nil)
        #expect(timing(at(500), flushed: 1000) == AudioTiming(frame: 0, hostTime: at(500), isRunning: true, underruns: 3))
        #expect(timing(at(540), flushed: 1001) == nil)
    }
}
