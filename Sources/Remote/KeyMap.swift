import BoxModel
import CEvdev

/// Maps evdev key codes to keys of a remote (linux/input-event-codes.h). Codes without an entry are ignored.
package struct KeyMap: Sendable, Hashable {
    package private(set) var keys: [UInt16: RemoteKey]

    package init(_ keys: [UInt16: RemoteKey]) { self.keys = keys }

    /// The key of a code, if any.
    package subscript(code: UInt16) -> RemoteKey? { keys[code] }

    /// Remotes, keyboards and receivers as they come.
    ///
    package static let standard = KeyMap([
        103: .up, 108: .down, 105: .left, 106: .right,
        // OK SELECT ENTER KPENTER
        352: .ok, 353: .ok, 28: .ok, 96: .ok,
        // BACK ESC EXIT BACKSPACE
        158: .back, 1: .back, 174: .back, 14: .back,
        // PLAYPAUSE SPACE PLAY PLAYCD PAUSE PAUSECD STOP STOPCD
        164: .playpause, 57: .playpause, 207: .play, 200: .play, 119: .pause, 201: .pause, 128: .stop, 166: .stop,
        // FASTFORWARD REWIND NEXTSONG PREVIOUSSONG NEXT PREVIOUS
        208: .ff, 168: .rw, 163: .next, 165: .prev, 407: .next, 412: .prev,
        // CHANNELUP CHANNELDOWN LAST EPG RED GREEN YELLOW BLUE
        402: .channelUp, 403: .channelDown, 405: .last, 365: .guide, 398: .red, 399: .green, 400: .yellow, 401: .blue,
        // INFO SUBTITLE AUDIO LANGUAGE AUDIO_DESC
        358: .info, 370: .subtitle, 392: .audio, 368: .audio, 0x26e: .audio,
        // MENU CONTEXT_MENU ROOT_MENU HOMEPAGE HOME
        139: .menu, 438: .menu, 0x26a: .home, 172: .home, 102: .home,
        // NUMERIC_0…9, then 1…9 and 0 of keyboards
        512: .digit0, 513: .digit1, 514: .digit2, 515: .digit3, 516: .digit4, 517: .digit5, 518: .digit6, 519: .digit7,
        520: .digit8,
        521: .digit9,
        2: .digit1, 3: .digit2, 4: .digit3, 5: .digit4, 6: .digit5, 7: .digit6, 8: .digit7, 9: .digit8, 10: .digit9, 11: .digit0,
        // VOLUMEUP VOLUMEDOWN MUTE
        115: .volumeUp, 114: .volumeDown, 113: .mute,
        // POWER POWER2 SLEEP WAKEUP
        116: .power, 356: .power, 142: .power, 143: .power,
    ])

    /// Television remotes over HDMI-CEC. The kernel maps CEC's Backward to KEY_BACK and its Forward to KEY_FORWARD, which skip,
    /// and its Previous Channel to KEY_PREVIOUS; the television's Return arrives as KEY_EXIT.
    package static let cec = standard.merging([174: .back, 158: .prev, 159: .next, 412: .last])

    /// What the buttons of an air mouse or a mouse are, beside its keys: left and right.
    package static let pointerButtons: [UInt16: RemoteKey?] = [0x110: .ok, 0x111: .back]

    /// This map with some codes changed.
    ///
    /// - Parameter changes: nil for a code that is ignored.
    package func merging(_ changes: [UInt16: RemoteKey?]) -> KeyMap {
        KeyMap(keys.merging(changes.compactMapValues { $0 }) { $1 }.filter { changes[$0.key] != .some(nil) })
    }

    /// Parses the changes of a device's own map in the operator's syntax: `KEY_RED = "subtitle"`, `KEY_F1 = "none"`, `0x2c0 =
    /// "menu"`.
    ///
    /// - Parameter entries: names or numbers of codes, with the key names of key scripts or `none`.
    /// - Throws: `RemoteError` that names the entry.
    package static func changes(_ entries: [String: String], device: String) throws(RemoteError) -> [UInt16: RemoteKey?] {
        var changes: [UInt16: RemoteKey?] = [:]
        for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
            guard let code = code(named: name) else {
                throw RemoteError(
                    .keyMap, "The key map of \(device) could not be used: \(name) is not an evdev key; evtest shows the names.")
            }
            let key = RemoteKey(rawValue: value)
            guard key != nil || value == "none" else {
                let known = RemoteKey.allCases.map(\.rawValue).joined(separator: " ")
                throw RemoteError(
                    .keyMap,
                    "The key map of \(device) could not be used: \(value), given for \(name), is not a key; keys are \(known) none."
                )
            }
            changes[code] = .some(key)
        }
        return changes
    }

    private static func code(named name: String) -> UInt16? {
        let number = name.hasPrefix("0x") ? UInt16(name.dropFirst(2), radix: 16) : UInt16(name)
        if let number { return number <= UInt16(KEY_MAX) ? number : nil }
        return UInt16(exactly: libevdev_event_code_from_name(UInt32(EV_KEY), name))
    }
}
