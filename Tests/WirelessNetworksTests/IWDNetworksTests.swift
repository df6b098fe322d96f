import BoxModel
import LinuxSupport
import MessageBus
import Synchronization
import TestSupport
import Testing

@testable import WirelessNetworks

/// The wireless networks of a box whose iwd is played by the test, on a bus of its own.
@Suite(.enabled(if: PrivateBus.isPresent, "this machine has no dbus-daemon"))
@MainActor
struct IWDNetworksTests {
    private let bus: PrivateBus
    private let loop: MainLoop
    private let notes = Notes()
    /// The kernel's device classes.
    private let classes = ScratchFolder("device-classes")

    @MainActor
    private final class Notes {
        var lines: [String] = []
        var hasAddress = true
    }

    init() throws {
        bus = try PrivateBus()
        loop = try MainLoop(time: .real)
        setAdapter(true)
    }

    /// Plugs the kernel's adapter in, or pulls it.
    private func setAdapter(_ isPresent: Bool) {
        if isPresent { Folder.make(classes.path + "/ieee80211/phy0") } else { Folder.remove(classes.path + "/ieee80211/phy0") }
    }

    private func makeNetworks(
        address: String? = nil, owner: WirelessSurroundings.Owner = .box(hasCountry: true),
        limits: WirelessSurroundings.Limits = .init()
    ) -> IWDNetworks {
        let notes = notes
        var surroundings = WirelessSurroundings(
            owner: owner, adapters: WirelessAdapters(classes: classes.path),
            hasAddress: { $0 == "wlan7" && notes.hasAddress })
        surroundings.limits = limits
        if limits.staleAddress == .seconds(4) { surroundings.limits.staleAddress = .zero }
        return IWDNetworks(address: address ?? bus.address, loop: loop, surroundings: surroundings) { notes.lines.append($0) }
    }

    private func makeIWD(_ networks: [FakeIWD.Network], address: String? = nil) throws -> FakeIWD {
        let iwd = try FakeIWD(address ?? bus.address, loop: loop, networks: networks)
        wait { iwd.isOnBus }
        return iwd
    }

    private func wait(at place: SourceLocation = #_sourceLocation, until isDone: () -> Bool) {
        let isMet = loop.run(within: .seconds(10), until: isDone)
        #expect(isMet, sourceLocation: place)
    }

    private static let home = FakeIWD.Network(name: "Home", passphrase: "correct horse")
    private static let cafe = FakeIWD.Network(name: "Café", type: "open", strength: -8000)

    /// The list is on the screen, and has these names.
    private func opened(_ networks: IWDNetworks, _ names: [String]) {
        networks.perform(.watch(true))
        wait { networks.status.networks.map(\.name) == names }
    }

    private func id(_ name: String, _ networks: IWDNetworks) -> String {
        networks.status.networks.first { $0.name == name }?.id ?? ""
    }

    @Test func theNetworksAreListedWithTheirSecurityAndStrength() throws {
        defer { bus.end() }
        let iwd = try makeIWD([
            Self.home, Self.cafe, .init(name: "Office", type: "8021x", strength: -7000),
            .init(name: "Old", type: "wep", strength: -100),
        ])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Home", "Café", "Office", "Old"])
        #expect(networks.status.radio == .on)
        #expect(networks.status.networks.map(\.security) == [.passphrase, .open, .unsupported, .unsupported])
        #expect(networks.status.networks.map(\.bars) == [3, 1, 2, 4])
        #expect(networks.status.networks.allSatisfy { !$0.isKnown && !$0.isConnected })
        wait { iwd.scans > 0 }
        networks.perform(.watch(false))
        #expect(networks.status.networks.isEmpty, "no list is read while it is not on the screen")
        iwd.end()
    }

    @Test func aProtectedNetworkIsJoinedWithItsPassphraseWhichNothingPrints() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.home])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Home"])
        notes.hasAddress = false
        let passphrase = try #require(Passphrase("correct horse"))
        let request = WirelessRequest.join(id("Home", networks), passphrase: passphrase)
        networks.perform(request)
        #expect(networks.status.attempt?.step == .joining)
        wait { networks.status.attempt?.step == .waitingForAddress }
        notes.hasAddress = true
        wait { networks.status.attempt?.step == .connected && networks.status.connected?.name == "Home" }
        #expect(networks.status.networks.first?.isKnown == true && iwd.connected != nil)
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped] + notes.lines { #expect(!text.contains("correct")) }
        iwd.end()
    }

    @Test func aWrongPassphraseIsSaidAndARightOneHelps() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.home])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Home"])
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("wrong horse")))
        wait { networks.status.attempt?.step == .failed(.passphraseRefused) }
        networks.perform(.join(id("Home", networks), passphrase: nil))
        wait { networks.status.attempt?.step == .failed(.passphraseMissing) }
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
        wait { networks.status.attempt?.step == .connected }
        iwd.end()
    }

    @Test(arguments: [
        ("net.connman.iwd.Timeout", WirelessAttempt.Failure.timedOut), ("net.connman.iwd.NotFound", .notFound),
        ("net.connman.iwd.Failed", .failed), ("net.connman.iwd.Busy", .failed), ("net.connman.iwd.NotSupported", .failed),
        ("net.connman.iwd.NoAgent", .passphraseMissing), ("org.freedesktop.DBus.Error.AccessDenied", .failed),
    ])
    func everyErrorHasItsReason(name: String, failure: WirelessAttempt.Failure) throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.cafe])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Café"])
        iwd.course = .error(name)
        networks.perform(.join(id("Café", networks), passphrase: nil))
        wait { networks.status.attempt?.step == .failed(failure) }
        #expect(notes.lines.last == "Wi-Fi: a network could not be joined: \(name)", "the log names no network")
        iwd.end()
    }

    @Test func aNetworkWithUserNamesCannotBeJoined() throws {
        defer { bus.end() }
        let iwd = try makeIWD([.init(name: "Office", type: "8021x")])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Office"])
        iwd.course = .enterprise
        networks.perform(.join(id("Office", networks), passphrase: nil))
        wait { networks.status.attempt?.step == .failed(.passphraseMissing) }
        iwd.end()
    }

    @Test func aConnectWithoutAnEndIsTimedOutAndTheBoxReturnsToItsNetwork() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.cafe, Self.home])
        var limits = WirelessSurroundings.Limits()
        limits.join = .milliseconds(300)
        let networks = makeNetworks(limits: limits)
        defer { networks.close() }
        opened(networks, ["Café", "Home"])
        networks.perform(.join(id("Café", networks), passphrase: nil))
        wait { networks.status.attempt?.step == .connected && networks.status.connected?.name == "Café" }
        iwd.course = .silent
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
        wait { networks.status.attempt?.step == .failed(.timedOut) }
        iwd.course = .usual
        wait { iwd.calls.suffix(2) == ["Disconnect", "Connect"] && networks.status.connected?.name == "Café" }
        #expect(networks.status.attempt?.step == .failed(.timedOut), "the viewer still reads why")
        iwd.end()
    }

    @Test func givingUpLeavesTheAttemptAndReturns() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.cafe, Self.home])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Café", "Home"])
        networks.perform(.join(id("Café", networks), passphrase: nil))
        wait { networks.status.connected?.name == "Café" && networks.status.attempt?.step == .connected }
        iwd.course = .silent
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
        wait { iwd.calls.last == "Connect" && iwd.calls.count == 2 }
        iwd.course = .usual
        networks.perform(.giveUp)
        #expect(networks.status.attempt == nil)
        wait { iwd.calls == ["Connect", "Connect", "Disconnect", "Connect"] && networks.status.connected?.name == "Café" }
        iwd.end()
    }

    @Test func anotherAttemptEndsTheFirst() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.cafe, Self.home])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Café", "Home"])
        iwd.course = .silent
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
        wait { iwd.calls == ["Connect"] }
        iwd.course = .usual
        networks.perform(.join(id("Café", networks), passphrase: nil))
        wait { networks.status.attempt?.step == .connected && networks.status.attempt?.name == "Café" }
        #expect(iwd.calls == ["Connect", "Disconnect", "Connect"])
        iwd.end()
    }

    @Test func withoutAnAddressTheAttemptFails() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.cafe])
        var limits = WirelessSurroundings.Limits()
        limits.address = .milliseconds(700)
        let networks = makeNetworks(limits: limits)
        defer { networks.close() }
        opened(networks, ["Café"])
        notes.hasAddress = false
        networks.perform(.join(id("Café", networks), passphrase: nil))
        wait { networks.status.attempt?.step == .failed(.noAddress) }
        iwd.end()
    }

    @Test func theAddressOfTheNetworkBeforeIsNotTakenForANewOne() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.cafe])
        var limits = WirelessSurroundings.Limits()
        (limits.staleAddress, limits.address) = (.milliseconds(600), .milliseconds(900))
        let networks = makeNetworks(limits: limits)
        defer { networks.close() }
        opened(networks, ["Café"])
        networks.perform(.join(id("Café", networks), passphrase: nil))
        wait { networks.status.attempt?.step == .waitingForAddress }
        notes.hasAddress = false
        wait { networks.status.attempt?.step == .failed(.noAddress) }
        iwd.end()
    }

    @Test func aKnownNetworkIsForgotten() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.home])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Home"])
        networks.perform(.forget(id("Home", networks)))
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
        wait { networks.status.connected?.isKnown == true }
        networks.perform(.forget(id("Home", networks)))
        wait { networks.status.networks.map(\.isKnown) == [false] && networks.status.connected == nil }
        #expect(iwd.calls == ["Connect", "Forget"], "what is not known is not forgotten")
        iwd.end()
    }

    @Test func namesAreOfTheRightLengthAndCannotBreakTheLine() throws {
        defer { bus.end() }
        let longest = String(repeating: "é", count: 16)
        let iwd = try makeIWD([
            .init(name: ""), .init(name: longest), .init(name: longest + "x"), .init(name: "a\nb\u{202E}c\u{0007}"),
            .init(name: " \t"),
        ])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, [longest, "a\u{FFFD}b\u{FFFD}c\u{FFFD}"])
        iwd.end()
    }

    @Test func hundredsOfNetworksAreBounded() throws {
        defer { bus.end() }
        let iwd = try makeIWD((0..<400).map { .init(name: "Network \($0)", strength: Int16(-$0)) })
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, (0..<WirelessStatus.mostNetworks).map { "Network \($0)" })
        iwd.end()
    }

    @Test func aRadioThatIsOffIsSwitchedOnForTheList() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.home])
        let networks = makeNetworks()
        defer { networks.close() }
        wait { networks.status.radio == .on }
        iwd.switchOff()
        wait { networks.status.radio == .off }
        networks.perform(.watch(true))
        wait { networks.status.radio == .on && networks.status.networks.count == 1 }
        #expect(iwd.calls.contains("Set"))
        iwd.end()
    }

    @Test func anAdapterThatIsPulledEndsWhatWasGoingOn() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.cafe])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Café"])
        notes.hasAddress = false
        networks.perform(.join(id("Café", networks), passphrase: nil))
        wait { networks.status.attempt?.step == .waitingForAddress }
        setAdapter(false)
        iwd.setAdapter(false)
        wait { networks.status.radio == .absent && networks.status.networks.isEmpty }
        wait { networks.status.attempt?.step == .failed(.failed) }
        networks.perform(.join("/gone", passphrase: nil))
        wait { networks.status.attempt?.step == .failed(.notFound) }
        iwd.end()
    }

    @Test func aRestartOfIWDIsLivedThrough() throws {
        defer { bus.end() }
        let first = try makeIWD([Self.home])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Home"])
        first.course = .silent
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
        wait { first.calls == ["Connect"] }
        first.end()
        wait { networks.status.radio == .unavailable && networks.status.attempt?.step == .failed(.failed) }
        let second = try makeIWD([Self.home, Self.cafe])
        wait { networks.status.networks.count == 2 && second.agent != nil }
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
        wait { networks.status.attempt?.step == .connected }
        #expect(first.calls == ["Connect"])
        second.end()
    }

    @Test func iwdThatHasItsNameBeforeItsObjectsAsksForPassphrases() throws {
        defer { bus.end() }
        let networks = makeNetworks()
        defer { networks.close() }
        let iwd = try FakeIWD(bus.address, loop: loop, networks: [Self.home], isStarting: true)
        wait { notes.lines == ["Wi-Fi: iwd is there"] }
        // What was asked of the name has been answered.
        loop.run(within: .milliseconds(300)) { iwd.agent != nil }
        #expect(iwd.agent == nil)
        iwd.becomeReady()
        wait { iwd.agent != nil }
        opened(networks, ["Home"])
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
        wait { networks.status.attempt?.step == .connected }
        iwd.end()
    }

    @Test func aSearchThatIsRefusedIsRepeatedSoon() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.home])
        iwd.refusesScans = true
        var limits = WirelessSurroundings.Limits()
        (limits.refusedScanInterval, limits.scanInterval) = (.milliseconds(50), .seconds(60))
        let networks = makeNetworks(limits: limits)
        defer { networks.close() }
        opened(networks, ["Home"])
        wait { iwd.refusedScans >= 2 && !networks.status.isScanning }
        iwd.refusesScans = false
        wait { iwd.scans == 1 }
        iwd.end()
    }

    @Test func aRestartOfTheBusIsLivedThrough() throws {
        bus.end()
        let address = "unix:abstract=marquee-test-\(UInt64.random(in: 0...UInt64.max))"
        let first = try PrivateBus(at: address)
        let iwd = try makeIWD([Self.home], address: address)
        let networks = makeNetworks(address: address)
        defer { networks.close() }
        opened(networks, ["Home"])
        first.end()
        wait { networks.status.radio == .unavailable && networks.status.networks.isEmpty }
        iwd.end()
        let second = try PrivateBus(at: address)
        defer { second.end() }
        let again = try makeIWD([Self.cafe], address: address)
        networks.perform(.watch(true))
        wait { networks.status.networks.map(\.name) == ["Café"] }
        again.end()
    }

    @Test func withoutIWDTheStateIsThatOfTheBox() throws {
        defer { bus.end() }
        func radio(_ owner: WirelessSurroundings.Owner, hasAdapter: Bool, at address: String?) -> WirelessStatus.Radio {
            setAdapter(hasAdapter)
            let networks = makeNetworks(address: address, owner: owner)
            defer { networks.close() }
            for request: WirelessRequest in [
                .watch(true), .scan, .join("x", passphrase: nil), .giveUp, .forget("x"), .watch(false),
            ] {
                networks.perform(request)
            }
            return networks.status.radio
        }
        for address in [nil, "unix:path=/nonexistent/bus", "nonsense"] {
            #expect(radio(.box(hasCountry: true), hasAdapter: true, at: address) == .unavailable)
            #expect(radio(.box(hasCountry: false), hasAdapter: true, at: address) == .noCountry)
            #expect(radio(.box(hasCountry: true), hasAdapter: false, at: address) == .absent)
            #expect(radio(.machine, hasAdapter: true, at: address) == .absent)
        }
    }

    @Test func anAdapterThatIsPluggedInIsNoticedWithoutIWD() throws {
        defer { bus.end() }
        setAdapter(false)
        let networks = makeNetworks(owner: .box(hasCountry: false), limits: quickLooks)
        defer { networks.close() }
        #expect(networks.status.radio == .absent)
        setAdapter(true)
        wait { networks.status.radio == .noCountry }
    }

    private var quickLooks: WirelessSurroundings.Limits {
        var limits = WirelessSurroundings.Limits()
        limits.lookInterval = .milliseconds(50)
        return limits
    }

    @Test func withoutAnAdapterNothingConnectsToTheBus() throws {
        defer { bus.end() }
        let visitor = try BusVisitor(bus.address, loop)
        defer { visitor.close() }
        setAdapter(false)
        Folder.make(classes.path + "/net/eth0")
        let networks = makeNetworks(limits: quickLooks)
        defer { networks.close() }
        for request: WirelessRequest in [.watch(true), .scan, .join("x", passphrase: nil), .giveUp] { networks.perform(request) }
        loop.run(within: .milliseconds(300)) { visitor.mostOthers > 0 }
        #expect(visitor.others == 0 && visitor.mostOthers == 0)
        Folder.make(classes.path + "/net/wlan0/wireless")
        wait { visitor.others == 1 && networks.status.radio == .unavailable }
        Folder.remove(classes.path + "/net/wlan0")
        wait { visitor.others == 0 && networks.status.radio == .absent }
    }

    @Test func theBusIsLeftWithTheAdapterAndJoinedAgainWithTheNext() throws {
        defer { bus.end() }
        let visitor = try BusVisitor(bus.address, loop)
        defer { visitor.close() }
        let iwd = try makeIWD([Self.home])
        setAdapter(false)
        iwd.setAdapter(false)
        let networks = makeNetworks(limits: quickLooks)
        defer { networks.close() }
        networks.perform(.watch(true))
        for round in 1...2 {
            wait { visitor.others == 1 && networks.status.radio == .absent }
            // The files of the kernel and the objects of iwd change at different times.
            setAdapter(true)
            wait { visitor.others == 2 }
            iwd.setAdapter(true)
            wait { networks.status.networks.map(\.name) == ["Home"] && networks.status.radio == .on }
            iwd.course = .silent
            networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
            wait { iwd.calls.count == round }
            iwd.setAdapter(false)
            wait { networks.status.networks.isEmpty }
            setAdapter(false)
            wait { networks.status.attempt?.step == .failed(.failed) }
        }
        wait { visitor.others == 1 && networks.status.radio == .absent }
        #expect(notes.lines.last == "Wi-Fi: the adapter is gone")
        iwd.end()
    }

    @Test func noOtherProgramGetsAPassphrase() throws {
        defer { bus.end() }
        let iwd = try makeIWD([Self.home])
        let networks = makeNetworks()
        defer { networks.close() }
        opened(networks, ["Home"])
        iwd.course = .silent
        networks.perform(.join(id("Home", networks), passphrase: Passphrase("correct horse")))
        wait { iwd.calls == ["Connect"] && iwd.agent != nil }
        let agent = try #require(iwd.agent)
        var answer: Result<[BusValue], BusFault>?
        let other = Other()
        other.link = try BusLink(address: bus.address, loop: loop) { event in
            guard event == .connected else { return }
            other.link?.call(
                agent.sender, agent.path, "net.connman.iwd.Agent", "RequestPassphrase", [.path("\(FakeIWD.device)/n0")]
            ) { answer = $0 }
        }
        wait { answer != nil }
        if case .failure(let fault)? = answer {
            #expect(fault.name == "net.connman.iwd.Agent.Error.Canceled")
        } else {
            Issue.record("given")
        }
        networks.perform(.giveUp)
        var asked: String?? = .none
        iwd.askWithoutReason { asked = .some($0) }
        wait { asked != nil }
        #expect(asked == .some(nil), "after the attempt nothing is given")
        other.link?.close()
        iwd.end()
    }

    @MainActor
    private final class Other { var link: BusLink? }
}
