/// The state of a parse behind the last segment of a text, from where a reload that only added lines can go on.
///
/// Of the text before it only a 128-bit digest is kept, to tell whether that text is still the same.
final class ParseCheckpoint: Sendable {
    /// The builder, without its segments.
    let builder: MediaBuilder
    /// How many bytes the state stands for.
    let position: Int
    /// The number of the last line before it.
    let line: Int
    let digest: PrefixDigest
    /// How many segments end before the position.
    let segmentCount: Int

    init(_ builder: MediaBuilder, position: Int, line: Int, bytes: Bytes, continuing earlier: PrefixDigest?) {
        var builder = builder
        segmentCount = builder.playlist.store.records.count
        builder.playlist.store = SegmentStore()
        self.builder = builder
        self.position = position
        self.line = line
        digest = PrefixDigest(bytes.part(0, position), continuing: earlier)
    }
}

extension PlaylistParser {
    /// Reads a reload of a live playlist, going on behind the last segment of the one before where the text up to there is the same.
    ///
    /// What it gives is what `parse(_:)` gives. It is quick where segments were only added; where the text before differs, or the
    /// parser's settings do, everything is read anew. Handing over the last reference to `previous` saves copying its segments.
    public func parse(_ bytes: [UInt8], reusing previous: consuming MediaPlaylist) -> ParsedPlaylist {
        var last: MediaPlaylist? = consume previous
        return bytes.withUnsafeBufferPointer { text in
            guard let previous = last.take() else { return parse(text) }
            return parse(text, reusing: previous)
        }
    }

    /// Reads a reload from UTF-8 text that is lent for the call.
    public func parse(_ bytes: UnsafeBufferPointer<UInt8>, reusing previous: consuming MediaPlaylist) -> ParsedPlaylist {
        guard let checkpoint = previous.checkpoint, bytes.count >= checkpoint.position,
            checkpoint.builder.diagnostics.isStrict == (leniency == .strict),
            // Variables from outside the text may have another value by now.
            checkpoint.builder.variables.definitions.allSatisfy({ $0.source == .value }),
            checkpoint.digest == PrefixDigest(bytes.part(0, checkpoint.position))
        else { return parse(bytes) }
        // Faults of the characters are told before those of the tags, which only a full parse can do.
        var characters = Diagnostics(isStrict: false)
        TextCheck.checkCharacters(bytes, from: checkpoint.position, &characters)
        guard characters.errors.isEmpty, characters.warnings.isEmpty else { return parse(bytes) }
        var builder = checkpoint.builder
        swap(&builder.playlist.store, &previous.store)
        builder.playlist.store.reserveForGrowth(by: bytes.count - checkpoint.position)
        builder.variables.renew(imported: importedVariables, url: url)
        builder.read(
            bytes, from: checkpoint.position, after: checkpoint.line, checkpointAt: KindFinder.endOfLastURI(bytes),
            digest: checkpoint.digest)
        if builder.playlist.checkpoint == nil, builder.playlist.store.records.count == checkpoint.segmentCount {
            builder.playlist.checkpoint = checkpoint
        }
        return result(.media(builder.playlist), builder.diagnostics)
    }
}

/// Four interleaved 64-bit sums over a text; equal texts have equal digests, and it is practically certain that others have not.
struct PrefixDigest: Sendable, Equatable {
    /// How many bytes it is of.
    private let count: Int
    /// The sums over the whole blocks of 64 bytes.
    private var lanes: (UInt64, UInt64, UInt64, UInt64)
    /// The sum over the bytes behind the last whole block.
    private let tail: UInt64

    /// The digest of a text, going on from the digest of a text that it starts with.
    init(_ text: Bytes, continuing earlier: PrefixDigest? = nil) {
        count = text.count
        var (first, second, third, fourth) =
            earlier?.lanes ?? (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5)
        var position = (earlier?.count ?? 0) / 64 * 64
        // Whole blocks are read through the bare pointer: a check for each word would take longer than the sums. Each step
        // multiplies two words into 128 bits and folds them, so that every bit of both counts.
        if let base = UnsafeRawPointer(text.baseAddress) {
            @inline(__always)
            func mixed(_ lane: UInt64, _ offset: Int) -> UInt64 {
                let left = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ 0xFF51_AFD7_ED55_8CCD
                let right = base.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) ^ lane
                let product = left.multipliedFullWidth(by: right)
                return product.high ^ product.low
            }
            let end = count - 64
            while position <= end {
                first = mixed(first, position)
                second = mixed(second, position + 16)
                third = mixed(third, position + 32)
                fourth = mixed(fourth, position + 48)
                position += 64
            }
        }
        var tail: UInt64 = 0xCBF2_9CE4_8422_2325
        while position < count {
            tail = (tail ^ UInt64(text[position])) &* 0x0000_0100_0000_01B3
            position += 1
        }
        lanes = (first, second, third, fourth)
        self.tail = tail
    }

    static func == (left: PrefixDigest, right: PrefixDigest) -> Bool {
        left.count == right.count && left.lanes == right.lanes && left.tail == right.tail
    }
}
