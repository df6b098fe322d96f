import BoxModel
import LinuxSupport

/// Converts the key codes of one device to remote events. A value: code in, event out.
struct KeyTranslator {
    /// The device's name in events, e.g. `event3`.
    let device: String
    let map: KeyMap
    /// Whether the device has ever reported a key release.
    private(set) var sendsReleases: Bool
    /// The codes of the keys that are down, in order.
    private var pressed: [UInt16] = []

    init(device: String, map: KeyMap, sendsReleases: Bool) {
        self.device = device
        self.map = map
        self.sendsReleases = sendsReleases
    }

    /// - Parameter value: evdev's: 1 down, 0 up, 2 repeat.
    /// - Returns: nil when the code has no key, or for a release without a press.
    mutating func event(code: UInt16, value: Int32, time: HostTime) -> RemoteEvent? {
        if value == 0 { sendsReleases = true }
        guard let key = map[code] else { return nil }
        let isDown = pressed.contains(code)
        switch value {
        case 1:
            if !isDown { pressed.append(code) }
            return make(key, .press, time)
        case 2:
            guard isDown else { return nil }
            return make(key, .repeat, time)
        case 0:
            guard isDown else { return nil }
            pressed.removeAll { $0 == code }
            return make(key, .release, time)
        default: return nil
        }
    }

    /// The device is gone: releases its keys, since no release will be reported.
    mutating func releaseAll(at time: HostTime) -> [RemoteEvent] {
        let codes = pressed
        pressed = []
        return codes.compactMap { map[$0] }.map { make($0, .release, time) }
    }

    private func make(_ key: RemoteKey, _ phase: KeyPhase, _ time: HostTime) -> RemoteEvent {
        RemoteEvent(key: key, phase: phase, time: time, device: device, sendsReleases: sendsReleases)
    }
}
