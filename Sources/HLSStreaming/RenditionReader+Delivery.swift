import Cryptography
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime

/// Turns arriving bytes into runs for the demuxer.
extension RenditionReader {
    func ready(_ opening: SegmentFetch.Opening) {
        guard let piece = session?.arrival?.piece else { return }
        session?.arrival?.opening = opening
        if let key = opening.key, let declared = piece.key {
            session?.arrival?.cipher = CBCDecryption(
                key: key, initializationVector: declared.initializationVector(mediaSequence: piece.mediaSequence))
        }
    }

    func add(_ bytes: [UInt8]) {
        guard let arrival = session?.arrival else { return }
        if arrival.isOpen { return session!.current!.stream.append(bytes, cipher: arrival.cipher, endsSegment: false) }
        session?.arrival?.head += bytes
        open(isComplete: false)
    }

    func complete() {
        guard let arrival = session?.arrival else { return }
        if !arrival.isOpen {
            open(isComplete: true)
            guard session?.arrival?.isOpen == true else { return }
        }
        session?.current?.stream.append([], cipher: session?.arrival?.cipher, endsSegment: true)
        endPiece(isWhole: true)
        session?.cursor = arrival.piece.next
        session?.position = arrival.piece.end
        session?.missed = 0
        session?.hasDelivered = true
        // As a separate event: by then the demuxer has taken what it needs.
        bell.ring()
    }

    /// The current piece has ended, in any way.
    func endPiece(isWhole: Bool) {
        if !isWhole, let arrival = session?.arrival {
            // After half a segment, or a gap in sound without timestamps, a demuxer would lose its position.
            if arrival.isOpen || session?.current.map({ !ContainerSniffer.hasSharedStamps($0.container) }) ?? false {
                session?.current?.stream.finish()
                session?.current = nil
            }
        }
        session?.fetch = nil
        session?.arrival = nil
    }

    /// The first bytes determine the container; later bytes go straight to the demuxer.
    private func open(isComplete: Bool) {
        guard let session, let arrival = session.arrival else { return }
        let head = Self.clear(arrival)
        let tag = arrival.opening?.map == nil ? PackedAudioTag(head) : nil
        if tag == nil, !isComplete, PackedAudioTag.mayBegin(head) { return }
        guard let container = ContainerSniffer.container(of: arrival.opening?.map ?? Array(head.dropFirst(tag?.length ?? 0)))
        else {
            guard isComplete || head.count > 64 << 10 else { return }
            return fail(
                MediaError(
                    .sourceFormat,
                    "Segment \(arrival.piece.uri) of \(session.tracker.url) is neither MPEG-TS, fragmented MP4 nor packed audio; check the reply of the server."
                ))
        }
        let isPacked = !ContainerSniffer.hasSharedStamps(container)
        if needsNewRun(arrival.piece, container) { beginRun(arrival, container, firstStamp: tag?.transportStreamTimestamp) }
        tellMetadata(arrival.piece, head: head, tag: tag, container)
        var bytes = arrival.head
        if isPacked {
            // Tags between frames are not sound. Packed audio is small, so it is decrypted here.
            if let cipher = arrival.cipher { bytes = cipher.decrypt(bytes) + (isComplete ? cipher.finish() : []) }
            bytes = Array(bytes.dropFirst(tag?.length ?? 0))
            self.session?.current?.stream.append(bytes, cipher: nil, endsSegment: false)
        } else {
            self.session?.current?.stream.append(bytes, cipher: arrival.cipher, endsSegment: false)
        }
        self.session?.arrival?.isOpen = true
        self.session?.arrival?.head = []
    }

    /// The first bytes decrypted; encrypted bytes are decrypted on a copy.
    private static func clear(_ arrival: Arrival) -> [UInt8] {
        guard let key = arrival.opening?.key, let declared = arrival.piece.key else { return arrival.head }
        let vector = declared.initializationVector(mediaSequence: arrival.piece.mediaSequence)
        guard let cipher = CBCDecryption(key: key, initializationVector: vector) else { return arrival.head }
        return cipher.decrypt(Array(arrival.head.prefix(128 << 10)))
    }

    private func needsNewRun(_ piece: Piece, _ container: ContainerHint) -> Bool {
        guard let current = session?.current, session?.tracker.playlist?.isIFramesOnly != true else { return true }
        return current.sequence != piece.sequence || current.map != piece.map || current.container != container
            || current.tracker !== session?.tracker
    }

    private func beginRun(_ arrival: Arrival, _ container: ContainerHint, firstStamp: MediaTime?) {
        guard let session else { return }
        let piece = arrival.piece
        session.current?.stream.finish()
        let stream = SegmentByteStream(name: session.tracker.url, ledger: context.clock.ledger, bell: bell)
        if let map = arrival.opening?.map { stream.append(map, cipher: nil, endsSegment: false) }
        self.session?.current = CurrentRun(
            stream: stream, sequence: piece.sequence, map: piece.map, container: container, tracker: session.tracker)
        leave(before: piece.sequence)
        self.session?.nextSequence = piece.sequence + 1
        self.session?.replacesFrom = nil
        session.runs.offer(
            RunPlan(
                stream: stream, container: container, sequence: piece.sequence, start: piece.start, firstStamp: firstStamp,
                replacesFrom: session.replacesFrom,
                keyFrameDuration: session.tracker.playlist?.isIFramesOnly == true ? piece.end - piece.start : nil))
    }

    private func tellMetadata(_ piece: Piece, head: [UInt8], tag: PackedAudioTag?, _ container: ContainerHint) {
        guard let onMetadata else { return }
        var found: [SegmentMetadata] = []
        if let tag, tag.hasContent {
            found.append(SegmentMetadata(time: piece.start, stamp: nil, sequence: piece.sequence, content: .id3(tag.bytes)))
        }
        if container == .fragmentedMP4 { found += EventMessage.messages(in: head, of: piece) }
        if !found.isEmpty { onMetadata(found) }
    }
}
