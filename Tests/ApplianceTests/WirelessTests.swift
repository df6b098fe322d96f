import BoxModel
import LinuxSupport
import Screens
import Testing

@testable import Appliance

/// Wireless networks as the test wants them.
@MainActor
private final class FakeWireless: WirelessDoor {
    var status = WirelessStatus(
        radio: .on, networks: [WirelessNetwork(id: "/cafe", name: "Café", security: .open, strength: -6000)])
    let changes = EventSource<Void>()
    private(set) var requests: [WirelessRequest] = []

    func perform(_ request: WirelessRequest) {
        requests.append(request)
        guard case .join(let id, _) = request else { return }
        status.attempt = WirelessAttempt(network: id, name: "Café", step: .connected)
        status.networks[0].isConnected = true
        changes.send(())
    }
}

/// The way from the screen of a box without a network to its Wi-Fi page.
@MainActor
struct WirelessTests {
    private let wireless = FakeWireless()

    private func rig() throws -> BoxRig {
        var viewer = ViewerParts()
        viewer.wireless = wireless
        return try BoxRig(viewer: viewer)
    }

    private func show(_ kind: SetUpView.Kind, on rig: BoxRig) {
        let box = rig.box
        box.showSetUp(SetUpView(kind: kind, title: "No channels yet", button: "Wi-Fi")) { box.wireless.open() }
    }

    private func page(_ rig: BoxRig) -> SettingsView? {
        if case .settings(let view)? = rig.box.shown.page { view } else { nil }
    }

    @Test func theScreenOfABoxWithoutANetworkLeadsToThePageAndBackReturns() throws {
        let rig = try rig()
        defer { rig.close() }
        #expect(rig.box.wireless.leadsToPage)
        show(.setUp, on: rig)
        #expect(rig.press(.ok) == .success)
        #expect(page(rig)?.page == "wireless" && rig.box.shown.setUp == nil)
        #expect(wireless.requests == [.watch(true)])
        show(.setUp, on: rig)
        #expect(rig.drawing.states.last?.setUp == nil, "the screen is repeated, and stays below the page")
        #expect(rig.press(.back) == .success)
        #expect(rig.box.shown.setUp?.kind == .setUp && page(rig) == nil)
        #expect(rig.drawing.states.last?.setUp?.kind == .setUp)
        #expect(wireless.requests == [.watch(true), .watch(false)])
    }

    @Test func aNetworkIsJoinedAndTheResultIsShown() throws {
        let rig = try rig()
        defer { rig.close() }
        show(.setUp, on: rig)
        rig.press(.ok)
        #expect(rig.press(.ok) == .success)
        #expect(wireless.requests.last == .join("/cafe", passphrase: nil))
        #expect(rig.box.shown.toast == "Connected to Café" && page(rig)?.menu.rows.first?.value == "Connected")
        rig.box.showSetUp(nil)
        rig.press(.back)
        #expect(rig.box.shown.setUp == nil && rig.box.shown.home != nil)
    }

    @Test func aFactoryResetIsSaidOverThePage() throws {
        let rig = try rig()
        defer { rig.close() }
        show(.setUp, on: rig)
        rig.press(.ok)
        show(.reset, on: rig)
        #expect(rig.box.shown.setUp?.kind == .reset && rig.box.shown.page == nil)
    }

    @Test func aBoxThatSleepsFromThePageWakes() throws {
        let rig = try rig()
        defer { rig.close() }
        show(.setUp, on: rig)
        rig.press(.ok)
        rig.press(.power)
        #expect(rig.standbys == [true])
        rig.press(.ok)
        #expect(rig.standbys == [true, false] && rig.box.shown.setUp?.kind == .setUp)
        #expect(wireless.requests == [.watch(true), .watch(false)])
    }
}
