import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

/// A second virtual card, made through configfs, that a test can unplug.
private final class PluggableCard {
    private let folder = "/sys/kernel/config/vkms/marquee-test"
    private let links: [(String, String)]
    private let parts: [String]
    let path: String

    /// Whether the kernel can make such cards: this needs configfs and write access.
    static var isPossible: Bool { VirtualCard.isPresent && access("/sys/kernel/config/vkms", W_OK) == 0 }

    /// - Parameter connectors: how many connectors share the CRTC; all are connected.
    init(connectors: Int = 1) throws {
        let ends = (0..<connectors).map { (encoder: "encoders/encoder\($0)", connector: "connectors/connector\($0)") }
        parts = ["planes/primary", "planes/overlay", "crtcs/crtc"] + ends.flatMap { [$0.encoder, $0.connector] }
        links =
            [("planes/primary/possible_crtcs/crtc", "crtcs/crtc"), ("planes/overlay/possible_crtcs/crtc", "crtcs/crtc")]
            + ends.flatMap {
                [("\($0.encoder)/possible_crtcs/crtc", "crtcs/crtc"), ("\($0.connector)/possible_encoders/encoder", $0.encoder)]
            }
        let (folder, parts, links) = (folder, parts, links)
        let before = Set(DisplayFactory.cards)
        try Self.call("mkdir", folder) { mkdir(folder, 0o755) }
        for part in parts { try Self.call("mkdir", part) { mkdir("\(folder)/\(part)", 0o755) } }
        // 0 overlay, 1 primary; a connector is 1 connected, 2 disconnected.
        try Self.write("1", to: "\(folder)/planes/primary/type")
        try Self.write("0", to: "\(folder)/planes/overlay/type")
        try Self.write("1", to: "\(folder)/crtcs/crtc/writeback")
        for (link, target) in links { try Self.call("symlink", link) { symlink("\(folder)/\(target)", "\(folder)/\(link)") } }
        try Self.write("1", to: "\(folder)/enabled")
        path = try #require(DisplayFactory.cards.first { !before.contains($0) })
    }

    /// Plugs or unplugs the cable of a connector; the kernel reports it by a hot-plug event.
    func connect(_ isConnected: Bool, at connector: Int = 0) throws {
        try Self.write(isConnected ? "1" : "2", to: "\(folder)/connectors/connector\(connector)/status")
    }

    deinit {
        try? Self.write("0", to: "\(folder)/enabled")
        for (link, _) in links.reversed() { unlink("\(folder)/\(link)") }
        for part in parts.reversed() { rmdir("\(folder)/\(part)") }
        rmdir(folder)
    }

    private static func write(_ text: String, to path: String) throws {
        let descriptor = try FileDescriptor(opening: path, flags: O_WRONLY)
        try call("write", path) { Glibc.write(descriptor.number, text, text.utf8.count) }
    }

    private static func call(_ name: String, _ object: String, _ body: () -> some SignedInteger) throws {
        try systemCall(name, on: object, body)
    }
}

extension LoopSuites {
    @Suite(
        "KMSDisplay and its cable", .serialized,
        .enabled(if: PluggableCard.isPossible, "no vkms card can be made; run in the test machine"))
    @MainActor
    struct KMSHotPlugTests {
        @Test("unplugging is reported and stops requests; plugging in again sets the mode and requests scenes")
        func cable() throws {
            let card = try PluggableCard()
            let rig = try DisplayRig(KMSDisplay.Options(path: card.path, mode: VirtualCard.mode))
            defer { rig.display.stop() }
            let source = TestSource { _, opportunity in
                PresentationAnswer(
                    scene: Scene(background: OpaqueColour(red: 0, green: 90, blue: 0), wantedTime: opportunity.targetTime),
                    wantsNext: true)
            }
            try rig.display.start(source)
            try rig.run("flips") { source.seen.flips.count > 5 }
            try card.connect(false)
            try rig.run("the loss being reported") { source.seen.modes.count == 1 }
            #expect(source.seen.modes == [nil])
            let count = source.seen.opportunities.count
            rig.display.wake()
            #expect(try rig.read() == nil)
            try rig.run(for: .milliseconds(100))
            #expect(source.seen.opportunities.count == count)
            try card.connect(true)
            try rig.run("the return being reported") { source.seen.modes.count == 2 }
            #expect(source.seen.modes[1] == rig.display.mode)
            let flips = source.seen.flips.count
            try rig.run("flips after the return") { source.seen.flips.count > flips + 5 }
            let picture = try rig.picture()
            #expect(picture.pixels.pixel(50, 50).distance(RGB(red: 0, green: 90, blue: 0)) <= 1)
        }

        /// The open descriptors of this process.
        private var descriptors: Int { (0..<Int32(4096)).count { fcntl($0, F_GETFD) >= 0 } }

        @Test("fifty removals in play are each reported and undone, and leave no descriptor")
        func often() throws {
            let card = try PluggableCard()
            let rig = try DisplayRig(KMSDisplay.Options(path: card.path, mode: VirtualCard.mode))
            defer { rig.display.stop() }
            let source = TestSource { count, opportunity in
                PresentationAnswer(
                    scene: Scene(
                        background: OpaqueColour(red: 0, green: UInt8(count % 2 * 90), blue: 0),
                        wantedTime: opportunity.targetTime),
                    wantsNext: true)
            }
            try rig.display.start(source)
            try rig.run("flips") { source.seen.flips.count > 5 }
            var before: Int?
            for number in 1...50 {
                try card.connect(false)
                try rig.run("loss \(number)") { source.seen.modes.count == 2 * number - 1 }
                try card.connect(true)
                try rig.run("return \(number)") { source.seen.modes.count == 2 * number }
                let flips = source.seen.flips.count
                try rig.run("flips after return \(number)") { source.seen.flips.count >= flips + 2 }
                before = before ?? descriptors
            }
            let modes = source.seen.modes
            #expect(modes.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? nil : rig.display.mode) }, "\(modes)")
            #expect(descriptors == before)
            #expect(rig.display.counters.timeouts == 0)
        }

        @Test("a screen that comes back on another connector of the same CRTC is used there")
        func otherConnector() throws {
            let card = try PluggableCard(connectors: 2)
            try card.connect(false, at: 1)
            let rig = try DisplayRig(KMSDisplay.Options(path: card.path, mode: VirtualCard.mode))
            defer { rig.display.stop() }
            let source = TestSource { _, opportunity in
                PresentationAnswer(
                    scene: Scene(background: OpaqueColour(red: 0, green: 0, blue: 90), wantedTime: opportunity.targetTime),
                    wantsNext: true)
            }
            try rig.display.start(source)
            try rig.run("flips") { source.seen.flips.count > 5 }
            try card.connect(false, at: 0)
            try rig.run("the loss being reported") { source.seen.modes.count == 1 }
            let flips = source.seen.flips.count
            try card.connect(true, at: 1)
            try rig.run("flips on the other connector") { source.seen.flips.count > flips + 5 }
            #expect(source.seen.modes == [nil, rig.display.mode])
            let picture = try rig.picture()
            #expect(picture.pixels.pixel(50, 50).distance(RGB(red: 0, green: 0, blue: 90)) <= 1)
        }

        @Test("a card without a connected screen is refused with one sentence that names the connector")
        func nothingConnected() throws {
            let card = try PluggableCard()
            try card.connect(false)
            let loop = try MainLoop(time: .real)
            let error = #expect(throws: MediaError.self) {
                _ = try KMSDisplay(KMSDisplay.Options(path: card.path), clock: loop.clock)
            }
            #expect(error?.sentence.contains("no screen is connected to Virtual-") == true, "\(error?.sentence ?? "no error")")
        }
    }
}
