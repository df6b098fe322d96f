/// The amplifier on the CEC bus, as far as its messages tell (CEC 1.4, 13.15: system audio control). A value: messages in, changes out.
///
/// While its system audio mode is on, it plays what the television shows, and its volume is the one that the viewer hears.
struct AudioSystem: Equatable {
    /// Its address on the bus.
    static let address: UInt8 = 5

    /// What a message leads to.
    enum Consequence: Equatable {
        /// It has joined the bus: its mode is asked for.
        case ask
        /// Its volume is known: percent, and whether it is muted.
        case volume(percent: Int, isMuted: Bool)
    }

    /// Whether it has the volume; nil while that is unknown.
    private(set) var isOn: Bool?

    /// Handles a message: its first byte holds the source and the destination, the second the opcode.
    mutating func take(_ message: [UInt8]) -> Consequence? {
        guard message.count >= 2, message[0] >> 4 == Self.address else { return nil }
        switch (message[1], message.count > 2 ? message[2] : nil) {
        // Set System Audio Mode, System Audio Mode Status.
        case (0x72, let mode?), (0x7E, let mode?): isOn = mode == 1
        // Report Audio Status: 127 stands for an unknown volume, and 101 to 126 are reserved.
        case (0x7A, let status?) where status & 0x7F <= 100:
            return .volume(percent: Int(status & 0x7F), isMuted: status & 0x80 != 0)
        // Report Physical Address.
        case (0x84, _): return .ask
        // Feature Abort of the question for its mode: it has no such mode.
        case (0x00, 0x7D): isOn = false
        default: break
        }
        return nil
    }
}

/// A key for the amplifier.
package enum AmplifierKey: UInt8, Sendable {
    case louder = 0x41, softer = 0x42, mute = 0x43

    /// The key's messages, and the question for the volume that it leads to: User Control Pressed, User Control Released, Give Audio Status.
    var messages: [[UInt8]] { [[0x44, rawValue], [0x45], [0x71]] }
}
