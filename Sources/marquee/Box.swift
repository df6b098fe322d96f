import Appliance
import ChannelFeed
import Display
import Drawing
import Glibc
import HLSStreaming
import Library
import LinuxSupport
import MediaCodec
import MediaModel
import NetworkConditions
import Playback
import PlayerInterface
import Remote
import Sound
import Speech
import Supervision
import Transfer

/// The real parts, made and joined: the only place that knows them all.
@MainActor
final class Box {
    let loop: MainLoop
    let loader: any ByteLoading
    /// What is on the screen and what is heard is loaded by it: shut where a network that is paid for by the byte is not to be used for that.
    let metered: MeteredLoading
    /// Whether the network is paid for by the byte.
    let isMetered: @MainActor () -> Bool
    private let network = NetworkUse()
    let codecs: FFmpegCodecs
    let display: any DisplayOutput
    let player: Player
    let appliance: Appliance
    let log: LogBook
    /// The account of what happens, where one is written.
    let dump: EventDump?
    /// What date it is, where anybody knows.
    let wallClock: @MainActor () -> FeedDate?
    private let drawing: InterfaceDrawer
    private let library: Library?
    private let sessions: SessionFolder?
    /// What playbacks were like, for reports.
    let tally: PlaybackTally
    private let voice: DispatcherVoice?
    /// The television, where there is one that listens.
    let television: Television

    /// Where the television is put once the ways in are open; until then standby is the box's alone.
    final class Television {
        var link: TelevisionLink?
        var inputs: TelevisionWatch?
    }

    /// Where the wish of a viewer to have the box as new goes.
    let resetWish: ResetWish

    /// Filled in by whoever can do it.
    final class ResetWish {
        var action: (@MainActor () -> Void)?
    }

    /// What a box is made from.
    struct Plan {
        var time = MainLoop.Time.real
        var display = DisplayChoice.auto
        var audio = AudioChoice.automatic
        var languages = ["en"]
        var dump: (@MainActor (String) -> Void)?
        var echoesLog = false
        /// Back only closes layers, and nothing leads out of the feed.
        var isKiosk = false
        /// Where places are remembered over power cuts; nil: only while the program runs.
        var stateFolder: String?
        /// The mode that the box was set up with: of the card, or of a headless screen that was chosen for want of another.
        var preferredMode: DisplayMode?
        /// A network to play over that is worse than the machine's own.
        var network: NetworkProfile?
        /// Who makes it worse, in words.
        var networkMaker = "shaped inside the program"
        /// SHA-256 of the PIN that the box was set up with.
        var pinDigest: String?
        /// The highest rating that is open without it.
        var parentalLimit: ParentalLimit?
        /// By how much the interface is shrunk on each side, in percent.
        var overscanPercent = 0
        /// Its name, for About.
        var name: String?
        /// What the wall clock shows at the beginning of simulated time; nil: simulated time has no date.
        var simulatedStart: FeedDate?
        /// What the operator says of the network.
        var transfer = TransferOptions()
        /// Whether the network is paid for by the byte.
        var isMetered: @MainActor @Sendable () -> Bool = { false }
        /// How much later than the picture the sound is to be.
        var soundDelay = Duration.zero
        /// Whether a card that is muted is switched on when it is opened: on a box, where nobody else sets a mixer.
        var unmutesCards = false
        /// Whether sound may leave the box as it was encoded.
        var passesSoundThrough = false
        /// Whether the screen's refresh rate follows that of what plays.
        var matchesRefresh = false
        /// What keys of remotes mean besides, by the name of the device.
        var keyMaps: [String: [String: String]] = [:]
        /// SHA-256 of the token by which the page is reached from other machines.
        var tokenDigest: String?
        /// Whether something beside the player can make the box as new.
        var canReset = false
        /// What could not be put into force, one sentence each.
        var remarks: [String] = []
    }

    /// - Throws: `CommandFailure` or `MediaError` with one sentence when a part that was asked for cannot be had.
    init(_ plan: Plan) throws {
        loop = try MainLoop(time: plan.time)
        let clock = loop.clock
        log = LogBook(clock: clock, echo: plan.echoesLog ? Self.echo : nil)
        loader = Self.makeLoader(plan, clock: clock, log: log)
        metered = MeteredLoading(loader, clock: clock)
        isMetered = plan.isMetered
        codecs = FFmpegCodecs()
        display = try DisplayFactory.make(
            plan.display, mode: plan.preferredMode, asksAhead: plan.time == .simulated, loop: loop)
        let sink = try Self.makeSink(plan.audio, unmutes: plan.unmutesCards, loop: loop, log: log)
        var services = Self.join(
            clock: clock, loader: metered, codecs: codecs, display: display, sink: sink, network: network)
        services.soundDelay = plan.soundDelay
        services.passesSoundThrough = plan.passesSoundThrough
        services.matchesRefresh = plan.matchesRefresh
        services.isMetered = plan.isMetered
        if plan.time == .real { services.wallClock = { Self.wallClock().map { $0.milliseconds * 1_000_000 } } }
        player = try Player(services: services, actionAtItemEnd: .advance)
        drawing = InterfaceDrawer(
            clock: clock, display: display, images: ArtworkLoader(clock: clock, loader: metered, log: log), log: log)
        let wallClock = Self.wallClock(of: plan, clock: clock)
        self.wallClock = wallClock
        drawing.mediaTime = { [weak player] in player?.currentTime ?? .zero }
        library = Self.openLibrary(plan.stateFolder, clock: clock, log: log)
        let places: any PlaceStore =
            library.map { ForgivingPlaces(LibraryPlaces($0), stamps: LibraryChoices($0), now: wallClock) } ?? MemoryPlaceStore()
        dump = plan.dump.map { EventDump(clock: clock, write: $0) }
        if plan.dump != nil { player.scheduler.hashFrames(true) }
        sessions = plan.stateFolder.map { [log, services] in
            SessionFolder(in: $0, clock: clock, log: log, wallClock: services.wallClock)
        }
        tally = PlaybackTally(next: sessions)
        let isReal = plan.time == .real
        var parts = ApplianceParts(
            clock: clock, player: player, services: services, drawing: drawing, places: places, log: log, dump: dump,
            languages: plan.languages, wallClock: wallClock)
        parts.sessionLogs = tally
        // In simulated time, where the same run gives the same dump, scrubbing shows its time alone: pictures come when a second reading has them.
        if isReal {
            parts.makeThumbnails = { bif, url, duration in
                Artworks.thumbnails(bif: bif, url: url, duration: duration, services: services)
            }
        }
        parts.viewer.pinDigest = plan.pinDigest
        parts.viewer.parentalLimit = plan.parentalLimit
        voice = isReal ? DispatcherVoice(clock: clock) : nil
        Self.complete(&parts.viewer, name: plan.name, library: library, voice: voice, log: log)
        let television = Television()
        self.television = television
        parts.viewer.standby = { isStandby in
            television.link?.setPower(!isStandby)
            if !isStandby { television.inputs?.claim() }
        }
        let resetWish = ResetWish()
        self.resetWish = resetWish
        if plan.canReset { parts.viewer.factoryReset = { resetWish.action?() } }
        var policy = InterfacePolicy(isKiosk: plan.isKiosk)
        policy.languages = plan.languages
        policy.overscanPercent = plan.overscanPercent
        appliance = Appliance(parts: parts, policy: policy)
        if isReal { tellTime() } else if plan.simulatedStart != nil { tellSimulatedTime() }
        log.note("screen \(display.name) \(display.mode), sound \(sink.name)")
    }

    /// Puts into force what the operator allows on a network that is paid for by the byte; nil leaves it to the box, which takes the lowest quality.
    func applyMetered(_ policy: Policy.Metered?) {
        let use = NetworkUse.Rule(policy, isMetered: isMetered())
        if use != network.rule { log.note("network: \(use.words)") }
        network.rule = use
        metered.shut(use == .nothing)
    }

    /// Ends all threads, leaves the screen as it was found.
    func close() {
        player.close()
        drawing.close()
        voice?.close()
        library?.close()
        sessions?.close()
    }

    /// Waits until what is to be remembered is on the disk, and for nothing else.
    func keepAll() {
        library?.close()
        sessions?.close()
    }

    /// Shaping happens in front of the loader, on the box's own clock, so that it is the same in simulated time.
    private static func makeLoader(_ plan: Plan, clock: any HostClock, log: LogBook) -> any ByteLoading {
        let transfer = CurlTransfer(clock: clock, version: Marquee.version, options: plan.transfer)
        guard let network = plan.network else { return transfer }
        log.note("network \(network.name): \(plan.networkMaker)")
        return SimulatedOrigin(clock: clock, script: OriginScript(), network: network, backing: transfer)
    }

    private static func join(
        clock: any HostClock, loader: any ByteLoading, codecs: FFmpegCodecs, display: any DisplayOutput, sink: any AudioSink,
        network: NetworkUse
    ) -> PlaybackServices {
        // What the network carried is known to the next programme.
        let memory = NetworkMemory()
        let services = PlaybackServices(
            clock: clock, loader: loader, codecs: codecs, display: display, sink: sink
        ) { url, playlist in
            HLSSource(
                playlist: playlist, screen: (display.mode.width, display.mode.height), loader: loader, codecs: codecs,
                clock: clock, memory: memory, takesLowest: network.takesLowest,
                buffering: clock.isSimulated ? .immediate : .standard)
        }
        return clock.isSimulated ? services.repeatable : services
    }

    private static func makeSink(_ choice: AudioChoice, unmutes: Bool, loop: MainLoop, log: LogBook) throws -> any AudioSink {
        let clock = loop.clock
        switch choice {
        case .null: return NullSink(clock: clock)
        case .wav(let path): return try WAVSink(path: path, clock: clock)
        case .alsa(let device):
            guard !clock.isSimulated else {
                throw CommandFailure(
                    "--audio alsa plays in real time only; with --clock simulated give wav:FILE or null.", code: 2)
            }
            // Once now, so that a device that is not there is told at the start.
            try ALSASink(device: device, loop: loop).close()
            return claimed("alsa:\(device ?? "default")", device, unmutes, loop, log)
        case .preferred(let device):
            guard !clock.isSimulated else { return NullSink(clock: clock) }
            do {
                try ALSASink(device: device, loop: loop).close()
                return claimed("alsa:\(device)", device, unmutes, loop, log)
            } catch {
                // A wrong name in the settings must not keep the picture away.
                log.note("audio.output: \(error.sentence)")
                return claimed("alsa:default", nil, unmutes, loop, log)
            }
        case .automatic:
            guard !clock.isSimulated else { return NullSink(clock: clock) }
            return claimed("alsa:default", nil, unmutes, loop, log)
        }
    }

    /// A device that is held while something plays. No sound is no reason for no picture: where it cannot be had the clock runs by the null sink.
    private static func claimed(
        _ name: String, _ device: String?, _ unmutes: Bool, _ loop: MainLoop, _ log: LogBook
    ) -> any AudioSink {
        func tell(_ line: String) { log.note(line) }
        let door = DigitalDoor(device: device, loop: loop, onRemark: unmutes ? tell : nil) { passage, sink in
            log.note("sound \(sink.name), \(passage.codec) passed through")
        }
        return ClaimedSink(name: name, findFormat: { SurroundOutput.format(for: device) }, clock: loop.clock, door: door) {
            log.note("no sound: \($0.sentence)")
        } open: { (format: AudioFormat) throws(MediaError) in
            let surround = format.channels > 2 ? SurroundOutput.find(for: device) : nil
            let sink = try ALSASink(
                device: device, surround: surround, channels: format.channels, loop: loop, onRemark: unmutes ? tell : nil)
            log.note("sound \(sink.name), \(sink.layoutWords)")
            return sink
        }
    }

    /// A box whose disk fails still plays; it says that it will forget.
    private static func openLibrary(_ folder: String?, clock: any HostClock, log: LogBook) -> Library? {
        guard let folder else { return nil }
        do {
            let library = try Library(path: folder + "/library.sqlite", clock: clock)
            library.onFailure = { log.note($0) }
            return library
        } catch {
            log.note(error.description)
            return nil
        }
    }

    /// The time of day, now and every half minute, so that a clock that is set while the box runs is noticed.
    private func tellTime() {
        var now = time(nil)
        var local = tm()
        localtime_r(&now, &local)
        appliance.tellWallClock(secondsSinceMidnight: Int(local.tm_hour) * 3600 + Int(local.tm_min) * 60 + Int(local.tm_sec))
        loop.clock.schedule(after: .seconds(30)) { [weak self] in self?.tellTime() }
    }

    /// The same in simulated time, whose zone is Greenwich's.
    private func tellSimulatedTime() {
        guard let now = wallClock() else { return }
        appliance.tellWallClock(secondsSinceMidnight: Int(now.milliseconds / 1000 % 86_400))
        loop.clock.schedule(after: .seconds(30)) { [weak self] in self?.tellSimulatedTime() }
    }

    /// Who knows what date it is: the machine, or in simulated time whoever gave it one.
    private static func wallClock(of plan: Plan, clock: any HostClock) -> @MainActor () -> FeedDate? {
        if plan.time == .real { return { wallClock() } }
        return { plan.simulatedStart.map { FeedDate(milliseconds: $0.milliseconds + clock.now.nanoseconds / 1_000_000) } }
    }

    private static func echo(_ line: String) {
        FlightRecorder.log(line)
        Console.error(line)
    }

    /// The machine's wall clock.
    private static func wallClock() -> FeedDate? {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return FeedDate(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
    }
}
