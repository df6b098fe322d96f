import LinuxSupport

/// Puts the packets of one RTP source in the order of their numbers (RFC 3550, 6.4.1 and A.1). A value.
///
/// A packet that comes before its turn waits for those before it, for a little while and a little memory. What has not come by then is lost.
struct RTPOrder {
    /// The packets that did not come.
    private(set) var lost = 0
    /// The packets that came twice, or too late.
    private(set) var late = 0
    private var next: UInt16?
    private var waiting: [UInt16: [UInt8]] = [:]
    /// Since when the first place has been missing.
    private var missingSince: HostTime?
    /// The number after that of a packet far from the others. If it comes next, the sender has begun again.
    private var restart: UInt16?

    /// A network swaps neighbours. At 10 Mbit/s these are 80 ms.
    static let mostWaiting = 64
    private static let patience = Duration.milliseconds(100)
    /// RFC 3550, A.1: what is further away is another sequence.
    private static let mostAhead = 3000
    private static let mostBehind = 100

    mutating func take(
        _ number: UInt16, _ payload: UnsafeRawBufferPointer, at now: HostTime, deliver: (UnsafeRawBufferPointer) -> Void
    ) {
        guard let next else {
            deliver(payload)
            self.next = number &+ 1
            return
        }
        let distance = Int(Int16(bitPattern: number &- next))
        switch distance {
        case 0:
            deliver(payload)
            self.next = next &+ 1
            restart = nil
            goOn(at: now, deliver)
        case 1..<Self.mostAhead:
            restart = nil
            if waiting.updateValue(Array(payload), forKey: number) != nil { late += 1 }
            let since = missingSince ?? now
            missingSince = since
            if waiting.count > Self.mostWaiting || now - since > Self.patience { passOver(at: now, deliver) }
        case (-Self.mostBehind)..<0: late += 1
        default:
            guard number == restart else {
                restart = number &+ 1
                late += 1
                return
            }
            giveUp(at: now, deliver: deliver)
            deliver(payload)
            self.next = number &+ 1
            restart = nil
        }
    }

    /// Nothing more comes that others could wait for.
    mutating func giveUp(at now: HostTime, deliver: (UnsafeRawBufferPointer) -> Void) {
        while !waiting.isEmpty { passOver(at: now, deliver) }
    }

    /// Goes on with the first packet that is there.
    private mutating func passOver(at now: HostTime, _ deliver: (UnsafeRawBufferPointer) -> Void) {
        guard let next, let first = waiting.keys.min(by: { $0 &- next < $1 &- next }) else { return }
        lost += Int(first &- next)
        self.next = first
        goOn(at: now, deliver)
    }

    private mutating func goOn(at now: HostTime, _ deliver: (UnsafeRawBufferPointer) -> Void) {
        while let next, let payload = waiting.removeValue(forKey: next) {
            payload.withUnsafeBytes(deliver)
            self.next = next &+ 1
        }
        missingSince = waiting.isEmpty ? nil : now
    }
}
