import Appliance
import ControlServer
import Display
import LinuxSupport
import MediaModel
import Remote
import Supervision

/// The inputs: remotes on this machine, and the local page.
@MainActor
final class LocalDoors {
    private let devices: RemoteDevices?
    private let server: ControlServer?
    private let television: TelevisionLink?
    private let inputs: TelevisionWatch?
    private let heat: HeatWatch?
    /// The television enters and leaves standby with the box.
    private let standby: Subscription
    /// The port on which other machines reach the page; nil if they do not.
    let openPort: UInt16?

    /// - Parameters:
    ///   - port: where the local page is served; nil for nowhere.
    ///   - keyMaps: additional key mappings by the device's name.
    ///   - tokenDigest: SHA-256 of the token with which other machines reach the page; nil if they do not.
    ///   - watchesDevices: whether keys of real devices are read. They are not in simulated runs, because they have no simulated time.
    init(
        box: Box, port: UInt16?, watchesDevices: Bool, keyMaps: [String: [String: String]] = [:], tokenDigest: String? = nil
    ) throws {
        let log = box.log
        // A machine without a screen for the player is a desktop or server, and its keyboards are not remotes.
        let hasScreen = watchesDevices && !(box.display is HeadlessDisplay)
        devices = hasScreen ? Self.openDevices(box, keyMaps) : nil
        television = hasScreen ? TelevisionLink(name: "Marquee", clock: box.loop.clock) { log.note($0) } : nil
        let appliance = box.appliance
        inputs =
            hasScreen
            ? TelevisionWatch(loop: box.loop, note: { log.note($0) }) { appliance.televisionChanged(showsBox: $0) } : nil
        heat =
            hasScreen
            ? HeatWatch(clock: box.loop.clock) { isTooHot, sentence in
                log.note(sentence)
                appliance.heatChanged(isTooHot: isTooHot)
            } : nil
        standby = appliance.events.listen { [television, inputs] event in
            guard case .standby(let isStandby) = event else { return }
            television?.setPower(!isStandby)
            if !isStandby { inputs?.claim() }
        }
        var admits: (@Sendable (String) -> Bool)?
        if let tokenDigest { admits = { PINDigest.matches($0, digest: tokenDigest) } }
        do throws(ControlServerError) {
            server = try port.map { port throws(ControlServerError) in try Self.serve(box, port, admits) }
        } catch {
            throw CommandFailure(error.description)
        }
        openPort = tokenDigest == nil ? nil : server?.port
        server?.start { address in
            log.note("local page at \(address)")
            Console.print(address)
        }
    }

    func close() {
        standby.cancel()
        server?.stop()
        devices?.close()
        television?.close()
        inputs?.close()
        heat?.close()
    }

    private static func serve(
        _ box: Box, _ port: UInt16, _ admits: (@Sendable (String) -> Bool)?
    ) throws(ControlServerError) -> ControlServer {
        try ControlServer(port: port, door: box.appliance, status: box.appliance, clock: box.loop.clock, admits: admits) {
            picture in
            // A picture that cannot be encoded is missing on the page.
            try? picture.jpeg(quality: 80)
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
