import BoxModel
import Glibc
import LinuxSupport
import MessageBus
import TestSupport
import Testing

@testable import WirelessNetworks

/// Radios of the kernel's mac80211_hwsim, iwd and two access points: scripts/check-vm.d/wireless.py switches them off and on.
private enum Air {
    static let pipes = getenv("MARQUEE_WIRELESS").map { String(cString: $0) } ?? ""

    enum Thing: String { case iwd, accessPoints = "access-points", adapter }

    /// Blocks until it is done.
    static func set(_ thing: Thing, on isOn: Bool) throws {
        let orders = try FileDescriptor(opening: pipes + "/orders", flags: O_WRONLY)
        let answers = try FileDescriptor(opening: pipes + "/answers", flags: O_RDONLY)
        let line = Array("\(thing.rawValue) \(isOn ? "on" : "off")\n".utf8)
        try systemCall("write", on: pipes) { write(orders.number, line, line.count) }
        var answer = [UInt8](repeating: 0, count: 5)
        try systemCall("read", on: pipes) { read(answers.number, &answer, answer.count) }
    }
}

/// The wireless networks of a box with iwd itself, an adapter of the kernel, and the rules of our images for the bus.
@Suite(
    "Wireless networks of iwd", .serialized,
    .enabled(if: getenv("MARQUEE_WIRELESS") != nil, "no adapter and no iwd: runs in the test machine, with scripts/check-vm"))
@MainActor
struct WirelessDaemonTests {
    private let loop: MainLoop
    private let networks: IWDNetworks
    private let notes = Notes()

    @MainActor
    private final class Notes { var lines: [String] = [] }

    init() throws {
        loop = try MainLoop(time: .real)
        let notes = notes
        // The access points give no addresses.
        var surroundings = WirelessSurroundings(
            owner: .box(hasCountry: true), adapters: WirelessAdapters(), hasAddress: { $0 == "wlan0" })
        surroundings.limits.staleAddress = .zero
        surroundings.limits.lookInterval = .milliseconds(500)
        networks = IWDNetworks(loop: loop, surroundings: surroundings) { notes.lines.append($0) }
    }

    private func wait(at place: SourceLocation = #_sourceLocation, until isDone: () -> Bool) {
        let isMet = loop.run(within: .seconds(60), until: isDone)
        #expect(isMet, "\(networks.status), the log: \(notes.lines)", sourceLocation: place)
    }

    private func network(_ name: String) -> WirelessNetwork? { networks.status.networks.first { $0.name == name } }

    /// Asks for a network to be joined, and waits for what comes of it.
    private func join(
        _ name: String, _ passphrase: String?, _ step: WirelessAttempt.Step, at place: SourceLocation = #_sourceLocation
    ) {
        networks.perform(.join(network(name)?.id ?? "", passphrase: passphrase.flatMap { Passphrase($0) }))
        wait(at: place) { ![.joining, .waitingForAddress, nil].contains(networks.status.attempt?.step) }
        #expect(networks.status.attempt?.step == step, "the log: \(notes.lines)", sourceLocation: place)
    }

    private func opened(at place: SourceLocation = #_sourceLocation) {
        networks.perform(.watch(true))
        wait(at: place) { network("Home") != nil && network("Café") != nil }
    }

    private func forget(_ name: String, at place: SourceLocation = #_sourceLocation) {
        networks.perform(.forget(network(name)?.id ?? ""))
        wait(at: place) { network(name)?.isKnown == false && networks.status.connected == nil }
    }

    @Test func theNetworksAreListedWithTheirSecurityAndStrength() {
        defer { networks.close() }
        opened()
        #expect(networks.status.radio == .on)
        for (name, security) in [("Home", WirelessNetwork.Security.passphrase), ("Café", .open)] {
            let found = network(name)
            #expect(found?.security == security && found?.bars == 4 && found?.isKnown == false && found?.isConnected == false)
        }
        wait { !networks.status.isScanning }
        #expect(notes.lines == ["Wi-Fi: iwd is there"])
    }

    @Test func aWrongPassphraseIsSaidARightOneHelpsAndTheNetworkIsForgotten() {
        defer { networks.close() }
        opened()
        join("Home", "wrong horse", .failed(.passphraseRefused))
        #expect(network("Home")?.isKnown == false)
        join("Home", nil, .failed(.passphraseMissing))
        join("Home", "correct horse", .connected)
        wait { networks.status.connected?.name == "Home" && network("Home")?.isKnown == true }
        join("Café", nil, .connected)
        wait { networks.status.connected?.name == "Café" }
        // What is known needs no passphrase.
        join("Home", nil, .connected)
        wait { networks.status.connected?.name == "Home" }
        forget("Home")
        join("Home", nil, .failed(.passphraseMissing))
        forget("Café")
    }

    @Test func anAttemptThatIsGivenUpReturnsToTheNetworkOfBefore() {
        defer { networks.close() }
        opened()
        join("Café", nil, .connected)
        wait { networks.status.connected?.name == "Café" }
        join("Home", "wrong horse", .failed(.passphraseRefused))
        networks.perform(.giveUp)
        wait { networks.status.connected?.name == "Café" }
        networks.perform(.join(network("Home")?.id ?? "", passphrase: Passphrase("wrong horse")))
        wait { networks.status.connected == nil }
        networks.perform(.giveUp)
        wait { networks.status.connected?.name == "Café" }
        #expect(networks.status.attempt == nil)
        forget("Café")
    }

    @Test func anAccessPointThatVanishesAndReturnsIsJoinedAgain() throws {
        defer { networks.close() }
        opened()
        join("Home", "correct horse", .connected)
        wait { networks.status.connected?.name == "Home" }
        networks.perform(.watch(false))
        #expect(networks.status.networks.map(\.name) == ["Home"])
        try Air.set(.accessPoints, on: false)
        wait { networks.status.connected == nil }
        #expect(networks.status.radio == .on)
        try Air.set(.accessPoints, on: true)
        wait { networks.status.connected?.name == "Home" }
        opened()
        forget("Home")
    }

    @Test func aRestartOfIWDIsLivedThrough() throws {
        defer { networks.close() }
        opened()
        join("Home", "correct horse", .connected)
        wait { networks.status.connected?.name == "Home" }
        try Air.set(.iwd, on: false)
        wait { networks.status.radio == .unavailable && networks.status.networks.isEmpty }
        try Air.set(.iwd, on: true)
        // It joins by itself what it knows.
        wait { networks.status.radio == .on && networks.status.connected?.name == "Home" }
        wait { network("Café") != nil }
        forget("Home")
        // It asks for passphrases as before.
        join("Home", "correct horse", .connected)
        wait { networks.status.connected?.name == "Home" }
        forget("Home")
    }

    @Test func anAdapterThatIsPulledAndPluggedInIsFoundAgain() throws {
        defer { networks.close() }
        opened()
        join("Café", nil, .connected)
        wait { networks.status.connected?.name == "Café" }
        try Air.set(.adapter, on: false)
        wait { networks.status.radio == .absent && networks.status.networks.isEmpty }
        try Air.set(.adapter, on: true)
        wait { networks.status.radio == .on && networks.status.connected?.name == "Café" }
        wait { network("Home") != nil }
        forget("Café")
    }
}
