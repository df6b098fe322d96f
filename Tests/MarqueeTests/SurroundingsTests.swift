import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import NetworkConditions
import Playback
import SQLite
import Screens
import Supervision
import TestSupport
import Testing

@testable import BoxAssembly
@testable import marquee

/// What changes around a box that runs for a year: the screen, the network, the disk, the heat. Each reaches the part that acts on it, and the viewer.
@Suite("The surroundings of a whole box", .serialized)
@MainActor
struct SurroundingsTests {
    private static let film = #""items":[{"id":"a","title":"Film","streams":[{"url":"all.m3u8"}],"proposal":null}]"#

    /// A box with a film of two qualities: `low` and `high`.
    private func rig(
        in folder: ScratchFolder = ScratchFolder("scripted"), network: NetworkProfile = .unlimited, policy: String = "low",
        seconds: Int = 300
    ) throws -> ScriptedBox {
        let rig = try ScriptedBox(in: folder, network: network)
        rig.put(feed: Self.film + #","policy":{"metered":"\#(policy)"}"#)
        for name in ["low", "high"] { rig.put(stream: name, seconds: seconds) }
        rig.script.put(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=160x90,CODECS="avc1.4d401e,mp4a.40.2"
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=12000000,RESOLUTION=320x180,CODECS="avc1.4d401e,mp4a.40.2"
            high.m3u8
            """, at: ScriptedBox.cdn + "all.m3u8")
        rig.keeping.start()
        #expect(rig.run(until: { rig.box.appliance.offersChannels }), "\(rig.log)")
        return rig
    }

    /// A network on which nothing is known before the first measurement, and whose rate is plausible.
    private static let network = NetworkProfile(
        name: "fast", down: RateSchedule(200_000_000), up: 200_000_000, delay: .milliseconds(20))

    private func open(_ rig: ScriptedBox) {
        rig.box.appliance.open(id: "a")
        #expect(rig.run(until: { rig.isPlaying && rig.box.player.currentTime >= .seconds(10) }), "\(rig.log)")
    }

    // MARK: The start

    @Test("the manager is told of each step of the start, so that a starved machine is not restarted before its first picture")
    func start() throws {
        let rig = try rig()
        defer { rig.close() }
        rig.run(for: .seconds(2))
        let told = rig.manager.heard().filter { !$0.hasPrefix("STATUS=") && $0 != "WATCHDOG=1" }
        #expect(told == ["EXTEND_TIMEOUT_USEC=60000000", "READY=1"])
    }

    // MARK: The screen

    @Test("in standby the watchdog beats without a flip of the screen, and nothing restarts; awake the flips count again")
    func standby() throws {
        let rig = try rig()
        defer { rig.close() }
        open(rig)
        /// The signs of life in each of so many watchdog intervals. The kernel keeps only a few until they are heard.
        func beats(_ intervals: Int) -> [Int] {
            (0..<intervals).map { _ in
                rig.run(for: ScriptedBox.watchdog)
                return rig.manager.heard().count { $0 == "WATCHDOG=1" }
            }
        }
        rig.press(.power)
        rig.run(for: .seconds(2))
        #expect(rig.shown.screen == .standby)
        _ = rig.manager.heard()
        let flips = rig.box.player.scheduler.flipCount
        #expect(beats(75).allSatisfy { $0 == 4 }, "ten minutes")
        #expect(rig.box.player.scheduler.flipCount == flips && rig.restarts.isEmpty)
        rig.press(.ok)
        rig.run(for: .seconds(2))
        _ = rig.manager.heard()
        #expect(rig.shown.screen != .standby && beats(3).allSatisfy { $0 == 4 })
        #expect(rig.box.player.scheduler.flipCount > flips && rig.restarts.isEmpty)
    }

    // MARK: The network

    @Test("a link that becomes metered in play lowers the quality from the next segment on; the item is not opened again")
    func metered() throws {
        let rig = try rig(network: Self.network)
        defer { rig.close() }
        open(rig)
        #expect(rig.run(until: { rig.requests().contains("high-9.ts") }), "\(rig.requests())")
        let item = rig.box.player.currentItem
        rig.isMetered = true
        // The link is looked at every ten seconds.
        #expect(rig.run(within: .seconds(11), until: { rig.log.contains("only the lowest quality") }), "\(rig.log)")
        // What is under way is loaded to its end.
        rig.run(for: .seconds(4))
        let count = rig.requests().count
        #expect(rig.run(within: .seconds(40), until: { rig.requests(from: count).count >= 5 }))
        #expect(rig.requests(from: count).allSatisfy { $0.hasPrefix("low") }, "\(rig.requests(from: count))")
        #expect(rig.requests().filter { $0 == "all.m3u8" }.count == 1 && rig.box.player.currentItem === item && rig.isPlaying)
        #expect(!rig.log.contains("again") && rig.box.appliance.currentLog?.summary.numberOfStalls == 0)
        // The access log says what was loaded over the metered link.
        let events = rig.box.appliance.currentLog?.accessEvents ?? []
        #expect(events.first?.mediaRequestsWWAN ?? 0 == 0 && (events.last?.mediaRequestsWWAN ?? 0) >= 4)

        rig.isMetered = false
        #expect(rig.run(within: .seconds(60), until: { rig.requests(from: count).contains { $0.hasPrefix("high-") } }))
        #expect(rig.requests().filter { $0 == "all.m3u8" }.count == 1 && rig.box.player.currentItem === item && rig.isPlaying)
    }

    @Test("where the operator allows no metered link the programme stops with its sentence, and goes on at its place afterwards")
    func denied() throws {
        let rig = try rig(network: Self.network, policy: "deny")
        defer { rig.close() }
        open(rig)
        rig.isMetered = true
        #expect(
            rig.run(within: .seconds(20), until: { rig.box.appliance.nowPlaying.error?.code == .networkMetered }), "\(rig.log)")
        #expect(rig.shown.card?.message?.contains("mobile data") == true, "\(String(describing: rig.shown.card))")
        let count = rig.requests().count
        rig.run(for: .seconds(60))
        #expect(rig.requests(from: count).isEmpty)
        rig.isMetered = false
        #expect(rig.run(within: .seconds(20), until: { rig.isPlaying && rig.shown.card == nil }), "\(rig.log)")
        #expect(rig.box.player.currentTime >= .seconds(9))
    }

    @Test(
        "a programme that is opened on a metered link begins with the lowest quality, and rises when the link is not metered any more"
    )
    func opensMetered() throws {
        let rig = try rig(network: Self.network)
        defer { rig.close() }
        rig.isMetered = true
        #expect(rig.run(within: .seconds(11), until: { rig.log.contains("only the lowest quality") }))
        open(rig)
        #expect(!rig.requests().contains { $0.hasPrefix("high") })
        rig.isMetered = false
        #expect(rig.run(within: .seconds(60), until: { rig.requests().contains { $0.hasPrefix("high-") } }))
    }

    @Test("the measured throughput is known after a restart, and the first segment has the quality that it allows")
    func throughput() throws {
        let folder = ScratchFolder("scripted")
        let first = try rig(in: folder, network: Self.network)
        open(first)
        #expect(first.requests().first { $0.hasSuffix(".ts") } == "low-0.ts", "nothing is known yet")
        #expect(first.run(until: { first.requests().contains { $0.hasPrefix("high-") } }))
        let measured = try #require(first.box.throughput)
        first.close()
        let second = try rig(in: folder, network: Self.network)
        defer { second.close() }
        // The store keeps a change of a tenth.
        #expect(try abs(#require(second.box.throughput) - measured) < measured / 5)
        open(second)
        // It resumes at its place.
        #expect(second.requests().first { $0.hasSuffix(".ts") }?.hasPrefix("high-") == true, "\(second.requests())")
    }

    // MARK: The disk

    @Test("places and settings that cannot be stored are a fault until they are")
    func refusedLibrary() throws {
        let folder = ScratchFolder("refused")
        let rig = try ScriptedBox(in: folder)
        defer { rig.close() }
        rig.put(feed: #""channels":[]"#)
        rig.keeping.start()
        // What the start stores is stored: nothing holds the file.
        _ = rig.run(within: .seconds(5), until: { false })
        #expect(!rig.keeping.life.faults.contains(.libraryNotStored))
        let library = try #require(rig.box.library)
        let lock = try Connection(path: folder.path + "/state/library.sqlite")
        try lock.execute("BEGIN IMMEDIATE")
        library.setValue("de", "language")
        #expect(rig.run(within: .seconds(30), until: { rig.keeping.life.faults.contains(.libraryNotStored) }), "\(rig.log)")
        try lock.execute("ROLLBACK")
        #expect(rig.run(within: .seconds(600), until: { !rig.keeping.life.faults.contains(.libraryNotStored) }), "\(rig.log)")
    }

    @Test("a disk that is full reaches the log, Home and the operator's faults, and leaves them when there is room again")
    func fullDisk() throws {
        let rig = try ScriptedBox()
        defer { rig.close() }
        rig.put(stream: "film", seconds: 20)
        let channel = #""channels":[{"id":"c","title":"C","streams":[{"url":"film.m3u8"}]}]"#
        rig.put(
            feed: channel
                + #","items":[{"id":"a","title":"Film","streams":[{"url":"film.m3u8"}],"proposal":null,"offline":"required"}]"#)
        rig.disk.refuseChanges(ENOSPC)
        rig.keeping.start()
        #expect(rig.run(within: .seconds(300), until: { rig.keeping.life.faults.contains(.storageFull) }), "\(rig.log)")
        #expect(rig.run(within: .seconds(60), until: { rig.shown.home?.notice != nil }), "\(rig.shown)")
        #expect(rig.shown.home?.notice == "There’s no space for downloads.")
        #expect(rig.log.contains("downloads: ") && rig.log.contains("the disk is full; delete saved programmes."), "\(rig.log)")
        rig.disk.refuseChanges(nil)
        #expect(rig.run(within: .seconds(900), until: { !rig.keeping.life.faults.contains(.storageFull) }), "\(rig.log)")
        #expect(rig.run(within: .seconds(60), until: { rig.shown.home != nil && rig.shown.home?.notice == nil }))
    }

    // MARK: Heat

    @Test("a part that is too hot pauses playback with a sentence in the log and on the screen; both are over when it has cooled")
    func heat() throws {
        let zones = ScratchFolder("thermal")
        func put(_ degrees: Int) {
            zones.put("cpu-thermal\n", "thermal_zone0/type")
            zones.put("\(degrees * 1000)\n", "thermal_zone0/temp")
            zones.put("hot\n", "thermal_zone0/trip_point_0_type")
            zones.put("85000\n", "thermal_zone0/trip_point_0_temp")
        }
        put(60)
        let rig = try rig()
        defer { rig.close() }
        let watch = rig.box.watchHeat(in: zones.path)
        defer { watch.close() }
        open(rig)
        put(86)
        #expect(rig.run(within: .seconds(8), until: { rig.shown.notice != nil }), "\(rig.log)")
        rig.run(for: .seconds(2))
        #expect(rig.shown.notice?.words == "Paused while the box cools down" && rig.box.player.state.rate == .zero)
        #expect(
            rig.log.contains("The part cpu-thermal is at 86 °C (limit 85 °C); playback is paused until it has cooled to 80 °C."))
        put(79)
        #expect(rig.run(within: .seconds(8), until: { rig.shown.notice == nil }))
        rig.run(for: .seconds(2))
        #expect(rig.isPlaying && rig.box.player.state.rate == .one && rig.log.contains("The machine has cooled down."))
    }
}
