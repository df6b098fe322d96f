import LinuxSupport

/// An output of sound that a viewer can choose; AVFoundation's `AVAudioSessionPortDescription`.
package struct SoundPort: Sendable, Hashable, Identifiable {
    package enum Kind: String, Sendable, CaseIterable { case hdmi, headphones, lineOut, digital, usb, bluetooth }

    /// The most characters of a name; longer ones are cut.
    package static let longestName = 64

    /// alsa-lib's name, the same after a restart, without spaces: `hdmi:CARD=vc4hdmi0,DEV=0`.
    package let id: String
    package let kind: Kind
    /// What the device calls itself, as text of one line that can be shown; of HDMI the plug of the box. Empty where only the kind is known.
    package let name: String
    /// Tells those with the same name apart: from 1.
    package var number = 1

    /// - Parameter name: any text.
    /// - Returns: nil for what is no name of alsa-lib.
    package init?(id: String, kind: Kind, name: String) {
        guard !id.isEmpty, id.utf8.count <= 256, id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        (self.id, self.kind) = (id, kind)
        self.name = (name.prefix(Self.longestName).split(separator: " ").joined(separator: " ")).asDeviceName ?? ""
    }

    /// Reads what `text` has written.
    package init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let kind = Kind(rawValue: parts[0]) else { return nil }
        self.init(id: parts[1], kind: kind, name: parts[2])
    }

    /// One line: it is kept with its name, which is shown while the output is not there.
    package var text: String { "\(kind.rawValue) \(id) \(name)" }
}

/// The outputs of a machine, and which one is in use; AVFoundation's `currentRoute`.
package struct SoundRoute: Sendable, Hashable {
    /// Those that are there now.
    package var outputs: [SoundPort]
    /// Where sound goes, or went last; nil before the first sound, without a device, and where the system does not say, as a sound server.
    package var current: SoundPort?
    /// The one that the operator has set; viewers choose none then.
    package var fixed: SoundPort?

    package init(outputs: [SoundPort] = [], current: SoundPort? = nil, fixed: SoundPort? = nil) {
        (self.outputs, self.current, self.fixed) = (outputs, current, fixed)
    }

    package func output(_ id: String?) -> SoundPort? { outputs.first { $0.id == id } }
}

/// A change of `SoundRouting.route`.
package enum SoundRouteChange: Sendable {
    /// Others are there than before.
    case outputs
    /// A device was opened, which may be the same as before, or none could be.
    case opened
}

/// The outputs of sound of a machine. Main loop only; nothing waits.
@MainActor
package protocol SoundRouting: AnyObject {
    var route: SoundRoute { get }
    /// Sent after `route` has changed, and never from inside a call to a sink.
    var changes: EventSource<SoundRouteChange> { get }
    /// Takes an output whenever the device is opened from now on and it is there; nil: what the machine takes by itself.
    func choose(_ output: SoundPort?)
}
