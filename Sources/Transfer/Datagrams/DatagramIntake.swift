import LinuxSupport
import URLReferences

/// What became of the datagrams of a stream.
struct DatagramCounts: Equatable {
    var received = 0
    /// By the numbers of RTP.
    var lost = 0
    /// Twice, or too late to be put in its place.
    var late = 0
    /// Not MPEG-TS.
    var foreign = 0
    /// From another sender than the one that is heard.
    var fromOthers = 0
    /// Packets of the transport stream that are missing, where datagrams have no numbers.
    var missingPackets = 0
    /// How often the reader was so far behind that the stream went on at its live edge.
    var jumps = 0
    /// How often the stream was taken from another sender.
    var changes = 0
}

/// Takes a transport stream out of datagrams: of one sender, in order, whatever else comes to the address. A value.
///
/// What is in RTP is known by what it is, and not by the scheme of the address: lists name many streams of RTP by `udp:`.
struct DatagramIntake {
    private(set) var counts = DatagramCounts()
    /// Whom the stream is taken from.
    private(set) var sender: DatagramSender?
    /// When something was taken; nil before the first time.
    private(set) var heard: HostTime?
    /// The payload type of what is not MPEG-TS, if it is RTP.
    private(set) var foreignType: UInt8?
    private let allowed: Set<NumericAddress>
    private var source: UInt32?
    private var order = RTPOrder()
    private var packets = DatagramPackets()
    /// The losses of the senders before.
    private var before = DatagramCounts()

    /// Another sender is heard when the first one has been silent for so long.
    private static let patience = Duration.seconds(1)

    /// - Parameter senders: whose datagrams are taken; empty for anybody's.
    init(from senders: [NumericAddress]) { allowed = Set(senders) }

    mutating func take(
        _ datagram: UnsafeRawBufferPointer, from sender: DatagramSender, at now: HostTime,
        deliver: (UnsafeRawBufferPointer) -> Void
    ) {
        counts.received += 1
        guard allowed.isEmpty || allowed.contains(sender.address) else { return counts.fromOthers += 1 }
        let header = RTPHeader(datagram)
        let payload = header.map { UnsafeRawBufferPointer(rebasing: datagram[$0.payload]) }
        if let header, let payload, DatagramPackets.isWhole(payload) || payload.isEmpty && header.source == source {
            guard hears(sender, header.source, at: now) else { return }
            _ = payload.isEmpty || packets.take(payload, counts: false)
            order.take(header.number, payload, at: now, deliver: deliver)
        } else if sender == self.sender, source == nil {
            guard packets.take(datagram, counts: true) else { return refuse(header) }
            heard = now
            deliver(datagram)
        } else {
            var first = DatagramPackets()
            guard first.take(datagram, counts: true) else { return refuse(header) }
            guard hears(sender, nil, at: now) else { return }
            packets = first
            deliver(datagram)
        }
        sum()
    }

    /// Nothing has come for a while: nothing is waited for.
    mutating func rest(at now: HostTime, deliver: (UnsafeRawBufferPointer) -> Void) {
        order.giveUp(at: now, deliver: deliver)
        sum()
    }

    mutating func jumped() { counts.jumps += 1 }

    private mutating func refuse(_ header: RTPHeader?) {
        counts.foreign += 1
        foreignType = header?.payloadType
    }

    private mutating func hears(_ sender: DatagramSender, _ source: UInt32?, at now: HostTime) -> Bool {
        if sender != self.sender || source != self.source {
            if let heard, now - heard < Self.patience {
                counts.fromOthers += 1
                return false
            }
            if self.sender != nil { counts.changes += 1 }
            sum()
            before = counts
            (order, packets) = (RTPOrder(), DatagramPackets())
            (self.sender, self.source) = (sender, source)
        }
        heard = now
        return true
    }

    private mutating func sum() {
        counts.lost = before.lost + order.lost
        counts.late = before.late + order.late
        counts.missingPackets = before.missingPackets + packets.missing
    }
}
