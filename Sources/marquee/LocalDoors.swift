import Appliance
import ControlServer
import Display
import LinuxSupport
import MediaModel
import Remote

/// The ways in: remotes on this machine, and the local page.
@MainActor
final class LocalDoors {
    private let devices: RemoteDevices?
    private let server: ControlServer?
    private let television: TelevisionLink?

    /// - Parameters:
    ///   - port: where the local page is served; nil for nowhere.
    ///   - watchesDevices: whether keys of real devices are taken. In simulated runs they are not: they would come at no simulated time.
    init(box: Box, port: UInt16?, watchesDevices: Bool) throws {
        let log = box.log
        // Without a screen of its own the machine is somebody's desk or server: its keyboards are not this box's remotes.
        let hasScreen = watchesDevices && !(box.display is HeadlessDisplay)
        devices = hasScreen ? Self.openDevices(box) : nil
        television = hasScreen ? TelevisionLink(name: "Marquee", clock: box.loop.clock) { log.note($0) } : nil
        box.television.link = television
        do {
            server = try port.map {
                try ControlServer(port: $0, door: box.appliance, status: box.appliance, clock: box.loop.clock) { picture in
                    // A picture that cannot be packed is one picture fewer on the page.
                    try? picture.jpeg(quality: 80)
                }
            }
        } catch let error as ControlServerError {
            throw CommandFailure(error.description)
        }
        server?.start { address in
            log.note("local page at \(address)")
            Console.print(address)
        }
    }

    func close() {
        server?.stop()
        devices?.close()
        television?.close()
    }

    /// A machine whose input devices cannot be watched is still a box: the local page has a remote.
    private static func openDevices(_ box: Box) -> RemoteDevices? {
        do {
            return try RemoteDevices(loop: box.loop, door: box.appliance) { box.log.note($0) }
        } catch {
            box.log.note("no remotes: \(error)")
            return nil
        }
    }
}
