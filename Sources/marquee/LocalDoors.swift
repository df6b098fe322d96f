import Appliance
import BoxAssembly
import CommandSupport
import Configuration
import ControlServer
import Display
import Glibc
import Housekeeping
import LinuxSupport
import MPRIS
import Remote
import StatusModel
import Supervision
import TransportSecurity
import WireFormats

/// The inputs: remotes on this machine, the local page, and the media keys of a desktop.
@MainActor
final class LocalDoors {
    private let devices: RemoteDevices?
    /// Nil without a window.
    private let window: WindowDoor?
    /// Nil where there is no page.
    let server: ControlServer?
    /// What the page and its API publish, and where their commands enter.
    private let published: PublishedBox
    private let door: BoxDoor
    private let television: TelevisionLink?
    private let inputs: TelevisionWatch?
    private let heat: HeatWatch?
    /// Nil without a session bus.
    private let mediaPlayer: MediaPlayerService?
    /// The television enters and leaves standby with the box.
    private let standby: Subscription
    /// The port on which other machines reach the page; nil if they do not.
    let openPort: UInt16?

    /// - Parameters:
    ///   - port: where the local page is served; nil for nowhere.
    ///   - keyMaps: additional key mappings by the device's name.
    ///   - tokens: the tokens with which other machines reach the page; empty if they do not.
    ///   - identity: the page's certificate for other machines; nil if they need no TLS.
    ///   - stateFolder: a folder on the file system that the metrics measure.
    ///   - provisioning: the applied settings, for support bundles.
    ///   - files: of provisioning; nil if there are none.
    ///   - watchesDevices: whether keys of real devices are read. They are not in simulated runs, because they have no simulated time.
    init(
        box: Box, port: UInt16?, watchesDevices: Bool, keyMaps: [String: [String: String]] = [:], tokens: [AccessToken] = [],
        identity: ServerIdentity? = nil,
        stateFolder: String? = nil, provisioning: Provisioning = Provisioning(file: nil, applied: nil),
        files: ProvisioningFiles? = nil
    ) throws {
        let log = box.log
        // A machine without a screen for the player is a desktop or server, and its keyboards are not remotes.
        let hasScreen = watchesDevices && box.display is KMSDisplay
        window = (box.display as? WindowDisplay).map { WindowDoor($0, box, keyMaps) }
        devices = hasScreen ? Self.openDevices(box, keyMaps) : nil
        television = hasScreen ? TelevisionLink(name: "Marquee", clock: box.loop.clock) { log.note($0) } : nil
        let appliance = box.appliance
        inputs =
            hasScreen
            ? TelevisionWatch(loop: box.loop, note: { log.note($0) }) {
                appliance.holds.set(.otherInput, !$0)
            } onVolume: {
                appliance.amplifier.report(percent: $0, isMuted: $1)
            } : nil
        appliance.amplifier.take = { [weak inputs] steps in
            inputs?.press(steps == 0 ? .mute : steps > 0 ? .louder : .softer) ?? false
        }
        heat = hasScreen ? box.watchHeat() : nil
        standby = appliance.events.listen { [television, inputs] event in
            guard case .standby(let isStandby) = event else { return }
            television?.setPower(!isStandby)
            if !isStandby { inputs?.claim() }
        }
        let published = PublishedBox(box)
        self.published = published
        let door = BoxDoor(appliance)
        self.door = door
        mediaPlayer = watchesDevices ? Self.joinSessionBus(box, door, published) : nil
        do throws(ControlServerError) {
            server = try port.map { port throws(ControlServerError) in
                try ControlServer(
                    port: port, door: door, status: published, clock: box.loop.clock,
                    admits: AccessToken.check(tokens, appliance.phones.paired),
                    identity: identity,
                    machine: { MachineExaminer.read(stateFolder: stateFolder) }, support: SupportSources(provisioning, files),
                    plays: Self.plays(box), settings: { [weak published] in published?.takeSettings($0, $1) },
                    phones: appliance.phones, room: { appliance.room }
                ) { picture in
                    // A picture that cannot be encoded is missing on the page.
                    try? picture.jpeg(quality: 80)
                }
            }
        } catch {
            throw CommandFault(error.description)
        }
        openPort = tokens.isEmpty ? nil : server?.port
        server?.start { address in
            log.note("local page at \(address)")
            Console.print(address)
        }
    }

    /// Whether the viewer has closed the window, so that the program is to end.
    var isWindowClosed: Bool { window?.isClosed ?? false }

    /// Publishes the status of a housekeeping, and gives it the commands that are its own.
    func add(_ life: BoxLife) {
        published.add(life)
        door.add(life)
    }

    /// The plays as `/v1/plays` tells them; nil if none are kept.
    private static func plays(_ box: Box) -> ControlServer.Plays? {
        guard let keeper = box.plays else { return nil }
        return { after, most in
            let page = keeper.page(after: after, most: most)
            return { JSONText.object(page().members).text }
        }
    }

    /// Makes a support bundle; nil without the local page, of whose parts it consists.
    func makeSupportBundle(_ completion: @escaping @MainActor ([UInt8]?) -> Void) {
        if let server { server.makeSupportBundle(completion) } else { completion(nil) }
    }

    func close() {
        standby.cancel()
        server?.stop()
        mediaPlayer?.close()
        devices?.close()
        television?.close()
        inputs?.close()
        heat?.close()
    }

    /// A desktop has a session bus; a box has none.
    private static func joinSessionBus(_ box: Box, _ door: BoxDoor, _ status: any StatusPublishing) -> MediaPlayerService? {
        guard let address = getenv("DBUS_SESSION_BUS_ADDRESS").map({ String(cString: $0) }), !address.isEmpty else { return nil }
        do {
            return try MediaPlayerService(address: address, loop: box.loop, door: door, status: status) {
                box.log.note($0)
            }
        } catch {
            box.log.note("session bus: \(error)")
            return nil
        }
    }

    /// A box also works without input devices, because the local page has a remote.
    private static func openDevices(_ box: Box, _ maps: [String: [String: String]]) -> RemoteDevices? {
        do {
            return try RemoteDevices(loop: box.loop, door: box.appliance, maps: maps) { box.log.note($0) }
        } catch {
            box.log.note("no remotes: \(error)")
            return nil
        }
    }
}

extension Appliance {
    /// What a room sees and hears beside what plays.
    fileprivate var room: RoomState {
        RoomState(emergency: emergencyText, volume: volumePercent, isMuted: isMuted)
    }
}

extension AccessToken {
    /// Finds what a token allows, the operator's or that of a paired phone; nil without tokens of the operator. The time
    /// taken depends neither on the token nor on which one it is.
    static func check(_ tokens: [AccessToken], _ phones: PairedPhones? = nil) -> (@Sendable (String) -> AccessRight?)? {
        guard !tokens.isEmpty else { return nil }
        return { text in
            // All are compared, without an early end.
            tokens.filter { PINDigest.matches(text, digest: $0.digest) }.compactMap { AccessRight(rawValue: $0.right.rawValue) }
                .max() ?? (phones?.admits(text) == true ? .phone : nil)
        }
    }
}
