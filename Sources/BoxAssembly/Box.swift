import Appliance
import ChannelFeed
import CivilTime
import CommandSupport
import Display
import Drawing
import EngineAssembly
import HLSStreaming
import Housekeeping
import KeptArtwork
import Library
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Playback
import Sound
import Speech
import StatusModel
import Supervision
import Transfer
import TransportSecurity
import Viewing
import WirelessNetworks

/// The real parts, made and joined. Only this type knows all of them.
@MainActor
package final class Box {
    package let loop: MainLoop
    package let loader: any ByteLoading
    /// Loads media. It is blocked if nothing may be loaded over a metered network.
    let metered: MeteredLoading
    /// Whether the network is metered.
    let isMetered: @MainActor () -> Bool
    private let network = NetworkUse()
    /// The measured throughput of the network.
    private let memory: NetworkMemory
    package let display: any DisplayOutput
    package let player: Player
    package let appliance: Appliance
    package let log: LogBook
    /// The event dump, if one is written.
    package let dump: EventDump?
    package let wallClock: WallClock
    private let drawing: InterfaceDrawer
    package let library: Library?
    /// The programmes that are stored; nil if none are.
    package let saved: SavedProgrammes?
    let updates = UpdateFacts()
    let report = ReportFacts()
    /// The viewer's languages from the settings, best first.
    let languages: [String]
    private let sessions: SessionFolder?
    /// What was played; nil if nothing is kept.
    package let plays: PlayKeeper?
    private var logKeeper: LogKeeper?
    /// Statistics of playbacks, for reports.
    let tally: PlaybackTally
    private let voice: DispatcherVoice?
    private let wireless: IWDNetworks?
    /// The page's certificate; nil without TLS.
    package let pageCertificate: CertificateFacts?

    /// Makes a box on this machine's engines.
    ///
    /// - Throws: `CommandFault` or `MediaError` with one sentence if a requested part is unavailable.
    package convenience init(_ plan: BoxPlan) throws {
        let loop = try MainLoop(time: plan.clock.policy.time)
        let keeper = plan.keepsLog ? plan.stateFolder.map { LogKeeper(in: $0, clock: loop.clock) } : nil
        let log = LogBook(clock: loop.clock) { line in
            if plan.echoesLog { Self.echo(line) }
            keeper?.keep(line)
        }
        try self.init(plan, engines: BoxEngines(plan, loop: loop, log: log), log: log)
        logKeeper = keeper
    }

    /// Makes a box on given engines.
    ///
    /// - Throws: `MediaError` with one sentence if the player cannot start.
    package init(_ plan: BoxPlan, engines: BoxEngines, log: LogBook) throws {
        let timePolicy = plan.clock.policy
        loop = engines.loop
        let clock = loop.clock
        self.log = log
        loader = engines.loader
        metered = MeteredLoading(loader, clock: clock)
        isMetered = plan.network.isMetered
        pageCertificate = plan.doors.certificate
        display = engines.display
        library = Self.openLibrary(plan.stateFolder, clock: clock, log: log)
        saved = plan.savedFolder.map { [metered] in
            SavedProgrammes(folder: $0, disk: engines.disk, network: metered, clock: clock)
        }
        let media: any ByteLoading = GeneratedLoading(saved?.loading ?? metered)
        languages = plan.viewer.languages
        memory = Self.makeMemory(library, clock: clock)
        var services = Self.makeServices(plan, engines: engines, media: media, memory: memory, network: network)
        let wallClock = WallClock(clock: clock, source: engines.dates)
        self.wallClock = wallClock
        if timePolicy.datesLogs {
            services.wallClock = { wallClock.now.map { $0.milliseconds * 1_000_000 } }
            log.wallClock = services.wallClock
        }
        player = try Player(services: services, actionAtItemEnd: .advance)
        let artwork = plan.artworkFolder.map { ArtworkFiles(folder: $0, disk: engines.disk, clock: clock, log: log) }
        drawing = InterfaceDrawer(
            clock: clock, display: display,
            images: ArtworkLoader(clock: clock, loader: media, network: metered, files: artwork, log: log), log: log)
        drawing.mediaTime = { [weak player] in player?.currentTime ?? .zero }
        let places: any PlaceStore =
            library.map { ForgivingPlaces(LibraryPlaces($0), stamps: LibraryChoices($0), now: { wallClock.now }) }
            ?? MemoryPlaceStore()
        dump = plan.dump.map { EventDump(clock: clock, write: $0) }
        if plan.dump != nil { player.scheduler.hashFrames(true) }
        sessions = plan.stateFolder.map { [log, services] in
            SessionFolder(in: $0, clock: clock, log: log, wallClock: services.wallClock)
        }
        plays = plan.stateFolder.map { PlayKeeper(in: $0, clock: clock, log: log, date: services.wallClock) }
        tally = PlaybackTally(next: sessions)
        var parts = ApplianceParts(
            clock: clock, player: player, services: services, drawing: drawing, places: places, log: log)
        parts.dump = dump
        parts.languages = plan.viewer.languages
        parts.wallClock = { wallClock.now }
        // Simulated dates have the time of day of UTC.
        if timePolicy.datesLogs { parts.zone = .machine() }
        parts.sessionLogs = tally
        parts.plays = plays
        if timePolicy.readsThumbnails {
            parts.makeThumbnails = { bif, stream, duration in
                Artworks.thumbnails(bif: bif, stream: stream, duration: duration, services: services)
            }
        }
        voice = timePolicy.hasVoice ? DispatcherVoice(clock: clock) : nil
        Self.complete(
            &parts.viewer, plan, library: library, saved: saved, artwork: artwork, updates: updates, report: report,
            voice: voice, log: log)
        parts.viewer.outputs = engines.outputs
        wireless = plan.network.wireless.map { Self.makeWireless($0, loop: engines.loop, log: log) }
        parts.viewer.wireless = wireless
        appliance = Appliance(parts: parts, policy: Self.policy(of: plan))
        if timePolicy.datesLogs, wallClock.now == nil {
            log.note(
                "TIME-BAD: the date is not known until a time server has set it; strict windows of availability wait for it",
                .warning)
        }
        wallClock.tellTime { [weak appliance] in appliance?.tellWallClock(secondsSinceMidnight: $0, changes: $1) }
        log.note("screen \(display.name) \(display.mode), sound \(engines.sink.name)")
    }

    /// Pauses playback while the machine is too hot, until the watch is closed.
    ///
    /// - Parameter folder: the kernel's thermal zones.
    package func watchHeat(in folder: String = "/sys/class/thermal") -> HeatWatch {
        HeatWatch(folder: folder, clock: loop.clock) { [log, appliance] isTooHot, sentence in
            log.note(sentence)
            appliance.holds.set(.heat, isTooHot)
        }
    }

    /// Applies the feed's rule for metered networks; nil leaves it to the box, which loads the lowest quality.
    func applyMetered(_ policy: Policy.Metered?) {
        let use = NetworkUse.Rule(policy, isMetered: isMetered())
        let before = network.rule
        guard use != before else { return }
        log.note("network: \(use.words)")
        network.rule = use
        metered.shut(use == .nothing)
        // A stream that plays asks for the lowest quality before each segment; it need not be opened again for that.
        if before == .nothing || use == .nothing { appliance.networkRuleChanged() }
        if before == .nothing { artwork.networkReturned() }
    }

    /// The pictures of the interface.
    var artwork: ArtworkCache { drawing.artwork }

    /// The measured throughput of the network in bits per second; nil while unknown.
    package var throughput: Double? { memory.rate }

    /// Loads a picture that a presentation names, scaled so that it covers a rectangle. `then` is called once; with nil if it cannot be loaded.
    package func loadPicture(
        _ reference: String, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void
    ) {
        drawing.loadPicture(reference, width: width, height: height, then)
    }

    /// The stored position of an item; nil if there is none.
    package func place(of id: String) -> MediaTime? { library?.place(of: id)?.time }

    /// The viewer's settings and choices that are stored, one line each.
    package var settings: [String] {
        ["viewer.", "choice."].flatMap { library?.values(under: $0) ?? [] }.map { "\($0.name)=\($0.value)" }
    }

    /// Ends all threads and restores the screen.
    package func close() {
        player.close()
        drawing.close()
        voice?.close()
        wireless?.close()
        library?.close()
        sessions?.close()
        plays?.close()
        saved?.close()
        logKeeper?.close()
    }

    /// Waits until pending writes are on the disk.
    func keepAll() {
        library?.close()
        sessions?.close()
        plays?.close()
        logKeeper?.close()
    }

    /// The measured throughput is passed on to the next programme, and with a library to the next start.
    private static func makeMemory(_ library: Library?, clock: any HostClock) -> NetworkMemory {
        guard let library else { return NetworkMemory() }
        let name = "network.throughput"
        let kept = KeptThroughput(library.value(name), clock: clock) { library.setValue($0, name) }
        return NetworkMemory(rate: kept.rate) { kept.note($0) }
    }

    private static func makeServices(
        _ plan: BoxPlan, engines: BoxEngines, media: any ByteLoading, memory: NetworkMemory, network: NetworkUse
    ) -> PlaybackServices {
        var services = PlaybackServices.joining(
            clock: engines.loop.clock, loader: media, codecs: engines.codecs, display: engines.display, sink: engines.sink,
            memory: memory, showsHighRange: plan.picture.showsHighRange, plainHTTPHosts: plan.network.transfer.plainHTTPHosts
        ) { [network] in network.takesLowest }
        services.decodesInHardware = plan.picture.decodesInHardware
        if plan.clock.policy.isRepeatable { services = services.repeatable }
        if let wakes = plan.wakes { services.wakes = wakes }
        services.soundDelay = plan.sound.delay
        services.passesSoundThrough = plan.sound.passesThrough
        services.matchesRefresh = plan.picture.matchesRefresh
        services.isMetered = plan.network.isMetered
        return services
    }

    private static func policy(of plan: BoxPlan) -> InterfacePolicy {
        var policy = InterfacePolicy(isKiosk: plan.viewer.isKiosk)
        policy.languages = plan.viewer.languages
        policy.overscanPercent = plan.picture.overscanPercent
        policy.lipSyncFilm = LipSyncFilm.address
        policy.configuredNetwork = plan.network.configuredWireless
        return policy
    }

    /// A box whose disk fails still plays; the log says that changes may be lost.
    private static func openLibrary(_ folder: String?, clock: any HostClock, log: LogBook) -> Library? {
        guard let folder else { return nil }
        let trial = TrialMark(runtimeFolder: RuntimeFolder.path)
        let library = Library(path: folder + "/library.sqlite", clock: clock) { !trial.isOnTrial }
        library.onFailure = { log.note($0, .error) }
        if let recovery = library.recovery { log.note(recovery, .warning) }
        if let failure = library.startFailure { log.note(failure.description, .error) }
        if library.isDeferred {
            log.note(
                "library: this version changes its tables; what viewers do is kept in memory until the version was found good")
        }
        return library
    }

    private static func makeWireless(
        _ owner: WirelessSurroundings.Owner, loop: MainLoop, log: LogBook
    ) -> IWDNetworks {
        let surroundings = WirelessSurroundings(
            owner: owner, adapters: WirelessAdapters(), hasAddress: { MachineFacts.hasAddress(link: $0) })
        return IWDNetworks(loop: loop, surroundings: surroundings) { log.note($0) }
    }

    private static func echo(_ line: LogLine) {
        FlightRecorder.log(line.text)
        Console.error(line)
    }
}
