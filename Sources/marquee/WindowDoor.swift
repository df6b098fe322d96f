import Appliance
import BoxAssembly
import BoxModel
import Display
import LinuxSupport
import Remote

/// The window of a desktop as an input: its keyboard and its mouse are a remote, and closing it ends the program.
@MainActor
final class WindowDoor {
    private let window: WindowDisplay

    /// - Parameter maps: additional key mappings by the device's name. Those that cannot be used are noted, and the keys are the usual ones.
    init(_ window: WindowDisplay, _ box: Box, _ maps: [String: [String: String]]) {
        self.window = window
        guard let remote = Self.remote(box, maps) else { return }
        window.listen { input, time in
            switch input {
            case .key(let code, let value): remote.key(code: code, value: value, at: time)
            case .motion(let horizontal, let vertical): remote.move(horizontal: horizontal, vertical: vertical, at: time)
            case .wheel(let notches): remote.turnWheel(notches, at: time)
            }
        }
    }

    var isClosed: Bool { window.isCloseRequested }

    private static func remote(_ box: Box, _ maps: [String: [String: String]]) -> WindowRemote? {
        do throws(RemoteError) {
            return try WindowRemote(door: box.appliance, maps: maps)
        } catch {
            box.log.note("\(error); the usual keys are used")
            return try? WindowRemote(door: box.appliance)
        }
    }
}
