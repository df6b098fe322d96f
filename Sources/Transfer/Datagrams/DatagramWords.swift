import MediaModel

/// The errors of a stream in datagrams, in words.
struct DatagramWords {
    let name: String
    let isRTP: Bool
    let isMulticast: Bool

    private func error(_ code: ErrorCode, _ sentence: String, _ fault: LoadFault) -> MediaError {
        MediaError(code, "Receiving \(name) \(sentence)", fault: fault)
    }

    /// - Parameter total: how many bytes of a transport stream came.
    func silence(_ intake: DatagramIntake, after total: Int64) -> MediaError {
        let counts = intake.counts
        if total > 0 {
            return error(
                .sourceTimeout, "stalled: no MPEG-TS for 5 s after \(total) bytes; check its sender and the network.", .stalled)
        }
        if counts.foreign > 0 {
            let type = intake.foreignType.map { " (RTP of payload type \($0))" } ?? ""
            return error(
                .sourceFormat,
                "failed: \(counts.foreign) datagrams came within 10 s, and none holds MPEG-TS\(type); send MPEG-TS to this address.",
                .refused)
        }
        if counts.fromOthers > 0 {
            return error(
                .sourceTimeout,
                "failed: \(counts.fromOthers) datagrams came within 10 s, none from the sender in the address; correct it.",
                .noFirstByte)
        }
        let hint =
            isMulticast
            ? "check the address, the sender, and that the network passes the group on" : "check the address and the sender"
        return error(.sourceTimeout, "got no datagram within 10 s; \(hint).", .noFirstByte)
    }

    /// Whether there are losses that were not told.
    func isTold(_ counts: DatagramCounts, since told: DatagramCounts) -> Bool {
        var (counts, told) = (counts, told)
        // What came right is no loss.
        (counts.received, told.received) = (0, 0)
        return counts != told
    }

    /// What was lost since it was told last.
    func losses(_ counts: DatagramCounts, since told: DatagramCounts) -> MediaError {
        func part(_ count: Int, _ words: String) -> String? { count > 0 ? "\(count) \(words)" : nil }
        let parts = [
            part(counts.lost - told.lost, "were lost"),
            part(counts.late - told.late, "came twice or too late"),
            part(counts.missingPackets - told.missingPackets, "packets of MPEG-TS are missing"),
            part(counts.foreign - told.foreign, "were not MPEG-TS"),
            part(counts.fromOthers - told.fromOthers, "were of another sender and left out"),
            part(counts.changes - told.changes, "times another sender took over"),
            part(counts.jumps - told.jumps, "times the player was too far behind and went on at the live edge"),
        ].compactMap(\.self)
        return error(
            .networkSlow,
            "went on with losses: of \(counts.received - told.received) datagrams \(parts.joined(separator: ", ")); check the network and the sender.",
            .broken)
    }
}
