import MediaModel
import MediaTime
import WireFormats

/// Reads a transport stream whose tables change as one set of tracks.
///
/// FFmpeg has one stream for each PID, with the codec that the PID had first. A stretch in which the tables stay the same therefore has a demuxer of its
/// own, as if it were a file; `TrackMatching` decides which tracks go on in it. Where the tables change is known when it has been read, or found by
/// bisection. Time stamps that step back at a change are continued. Confined to one thread at a time.
final class ProgramDemuxer: Demuxing {
    /// A stretch and what is known of it.
    private struct Stretch {
        var bytes: TransportStretch
        /// What its demuxer said; nil until it has been opened for the first time.
        var facts: Facts?
        /// Where its last sample ends, in the time of the whole stream; nil until that is known.
        var end: MediaTime?
    }
    private struct Facts {
        /// Added to its time stamps.
        var shift: MediaTime
        /// In the time of the whole stream; nil if nothing in it can be read.
        var start: MediaTime?
        /// Which tracks its tracks are.
        var names: [TrackID: TrackID]
    }
    private let whole: ReturningStream
    private let packets: TransportPackets
    private let hint: ContainerHint?
    /// In the order of the stream.
    private var stretches: [Stretch]
    /// The stretch that is read.
    private var current: (number: Int, stream: StretchStream, demuxer: Demuxer?)
    private(set) var description: ContainerDescription
    /// Tracks of later stretches that have not been offered yet.
    private var coming: [TrackDescription] = []
    private var wanted: Set<TrackID>
    private var isNewTrackWanted: ((TrackDescription) -> Bool)?
    /// The newest parameters of each track.
    private var parameters: [TrackID: any CodecParameters] = [:]
    /// Where what has been read of the current stretch ends, in the time of the whole stream.
    private var readEnd: MediaTime?
    /// Samples that were read to find out whether a jump has led to another stretch.
    private var held: [EncodedSample] = []
    /// Why the current stretch cannot be read.
    private var refusal: MediaError?

    /// More is no programme, but a stream of tables only.
    private static let mostStretches = 4096
    /// So many are looked for when a file is opened.
    private static let mostAtOpening = 64
    /// A jump reads at most so many samples until a table comes.
    private static let mostHeld = 1000
    /// Key frames are nearer to each other.
    private static let longestApproach = MediaTime.seconds(30)
    /// Steps back that are larger are no reordering.
    private static let longestStepBack = MediaTime.seconds(1)

    /// A demuxer for any stream: this one for transport streams, one of each link for chained Ogg files, one of the picture for files with a picture.
    static func open(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing {
        guard hint == nil || hint == .transportStream else { return Demuxer(try OpenedContainer(stream, hint: hint)) }
        let whole = ReturningStream(stream)
        let head = try whole.read(count: headLength)
        whole.giveBack(head)
        if let chain = try OggChain(whole, head: head) { return try ChainDemuxer(whole, chain) }
        if whole.position != 0 { try whole.seek(to: 0) }
        guard let packets = TransportPackets(in: head, isComplete: hint != nil || head.count < headLength) else {
            if hint == nil, let still = try StillDemuxer(whole, head: head) { return still }
            return Demuxer(try OpenedContainer(whole, hint: hint))
        }
        return try ProgramDemuxer(whole, packets, hint: hint)
    }

    private static let headLength = 4 << 10

    private init(_ whole: ReturningStream, _ packets: TransportPackets, hint: ContainerHint?) throws(MediaError) {
        (self.whole, self.packets, self.hint) = (whole, packets, hint)
        let first = TransportStretch(prefix: [], start: 0, end: nil, reader: ProgramTableReader())
        var stretches = try Self.found(first, whole, packets).map { Stretch(bytes: $0) }
        var opened: (stream: StretchStream, demuxer: Demuxer)?
        var number = 0
        while opened == nil {
            let stream = StretchStream(stretches[number].bytes, of: whole, packets)
            do throws(MediaError) {
                opened = (stream, Demuxer(try OpenedContainer(stream, hint: hint, isLater: number > 0)))
            } catch {
                // A recording may begin with the last packets of what was before.
                guard error.code == .sourceFormat, let next = stream.next ?? stretches.dropFirst(number + 1).first?.bytes else {
                    throw error
                }
                stretches[number].bytes = stream.stretch
                stretches[number].facts = Facts(shift: .zero, start: nil, names: [:])
                number += 1
                if number == stretches.count { stretches.append(Stretch(bytes: next)) }
            }
        }
        let (stream, demuxer) = opened!
        stream.forgetStray()
        description = demuxer.description
        let tracks = description.tracks
        wanted = Set(tracks.map(\.id))
        stretches[number].facts = Facts(
            shift: .zero, start: description.startTime, names: Dictionary(uniqueKeysWithValues: tracks.map { ($0.id, $0.id) }))
        self.stretches = stretches
        current = (number, stream, demuxer)
        for track in tracks { parameters[track.id] = track.parameters }
        if number + 1 < stretches.count { description.duration = try wholeDuration() }
        listenForLateTracks()
        takeFindings()
    }

    /// The stretches of a file whose tables at the end are not those at the start.
    private static func found(
        _ first: TransportStretch, _ whole: ReturningStream, _ packets: TransportPackets
    ) throws(MediaError) -> [TransportStretch] {
        guard whole.length != nil else { return [first] }
        var found = [first]
        while found.count < mostAtOpening {
            let stream = StretchStream(found[found.count - 1], of: whole, packets)
            if found.count == 1 { try stream.learn() }
            if stream.next == nil { try stream.lookAtEnd() }
            if stream.next == nil, let stray = stream.stray { _ = try stream.findEnd(before: stray) }
            found[found.count - 1] = stream.stretch
            guard let next = stream.next else { break }
            found.append(next)
        }
        return found
    }

    /// From the start of the first stretch to the end of the last one.
    private func wholeDuration() throws(MediaError) -> MediaTime? {
        var end: MediaTime?
        for number in stretches.indices {
            guard let demuxer = try opened(number).demuxer, let facts = stretches[number].facts else { continue }
            end = Self.end(demuxer.description, facts) ?? end
        }
        return end.map { $0 - description.startTime }.flatMap { $0 > .zero ? $0 : nil }
    }

    private static func end(_ container: ContainerDescription, _ facts: Facts) -> MediaTime? {
        container.duration.map { container.startTime + $0 + facts.shift }
    }

    // MARK: - Demuxing

    var canSeek: Bool { whole.length != nil }

    func select(_ tracks: Set<TrackID>) {
        wanted = tracks
        selectCurrent()
    }

    private func selectCurrent() {
        current.demuxer?.select(Set(names.filter { wanted.contains($0.value) }.keys))
    }

    private var names: [TrackID: TrackID] { stretches[current.number].facts?.names ?? [:] }

    func offerNewTracks(to isWanted: @escaping (TrackDescription) -> Bool) { isNewTrackWanted = isWanted }

    func lists(_ track: TrackID) -> Bool { names.values.contains(track) }

    func nextSample() throws(MediaError) -> EncodedSample? {
        while true {
            if !held.isEmpty {
                if let sample = present(held.removeFirst()) { return sample }
                continue
            }
            if let sample = try current.demuxer?.nextSample() {
                if let sample = present(sample) { return sample }
                continue
            }
            takeFindings()
            guard try advance() else { return nil }
        }
    }

    private func present(_ sample: EncodedSample) -> EncodedSample? {
        guard let track = names[sample.track], let facts = stretches[current.number].facts else { return nil }
        var sample = sample
        sample.track = track
        sample.presentationTime += facts.shift
        sample.decodeTime += facts.shift
        let end = sample.decodeTime + (sample.duration ?? .zero)
        readEnd = max(readEnd ?? end, end)
        // What goes on without saying what it is goes on as it was.
        if let own = sample.parameters as? StreamParameters, !own.isComplete, let known = parameters[track],
            known.codecName == own.codecName
        {
            sample.parameters = known
        } else {
            parameters[track] = sample.parameters
        }
        return wanted.contains(track) ? sample : nil
    }

    // MARK: - From stretch to stretch

    /// Keeps what reading has found of the current stretch's end.
    private func takeFindings() {
        let (number, stream) = (current.number, current.stream)
        stretches[number].bytes = stream.stretch
        guard let next = stream.next, stretches.count < Self.mostStretches else { return }
        guard number + 1 < stretches.count else { return stretches.append(Stretch(bytes: next)) }
        // What was known of a later stretch is kept: it begins at the same place, or this one has ended before it.
        if stretches[number + 1].bytes.start > next.start { stretches.insert(Stretch(bytes: next), at: number + 1) }
    }

    /// Goes on with the next stretch.
    ///
    /// - Returns: false at the end.
    private func advance() throws(MediaError) -> Bool {
        while true {
            if current.demuxer == nil {
                if canSeek { try current.stream.seek(to: 0) }
                try current.stream.skip()
                takeFindings()
            }
            guard current.number + 1 < stretches.count else {
                // What is encrypted to the end is told.
                if let refusal, refusal.code == .protected { throw refusal }
                return false
            }
            stretches[current.number].end = stretches[current.number].end ?? readEnd
            if try enter(current.number + 1) { return true }
        }
    }

    /// Begins to read a stretch from its start.
    ///
    /// - Returns: false if nothing in it can be read.
    private func enter(_ number: Int) throws(MediaError) -> Bool {
        (held, readEnd) = ([], nil)
        let (stream, demuxer) = try opened(number)
        current = (number, stream, demuxer)
        guard demuxer != nil else { return false }
        refusal = nil
        takeFindings()
        offerComing()
        listenForLateTracks()
        selectCurrent()
        return true
    }

    /// Opens a stretch, whose facts are known afterwards. Without a demuxer if nothing in it can be read.
    private func opened(_ number: Int) throws(MediaError) -> (stream: StretchStream, demuxer: Demuxer?) {
        if stretches[number].facts == nil { try know(before: number) }
        let isEnded = stretches[number].bytes.end != nil
        let stream = StretchStream(stretches[number].bytes, of: whole, packets)
        do throws(MediaError) {
            guard !stream.tables.areEmpty else { throw MediaError(.sourceFormat, "\(whole.name) lists no tracks in a stretch.") }
            let demuxer = Demuxer(try OpenedContainer(stream, hint: hint, isLater: number > 0))
            // FFmpeg has looked at the end of the stream.
            stream.forgetStray()
            let facts = stretches[number].facts ?? facts(of: number, demuxer.description)
            stretches[number].facts = facts
            if isEnded { stretches[number].end = stretches[number].end ?? Self.end(demuxer.description, facts) }
            return (stream, demuxer)
        } catch {
            // Errors of the network end the reading; what is no media is passed over.
            guard error.code == .sourceFormat || error.code == .protected else { throw error }
            refusal = error
            stretches[number].facts = stretches[number].facts ?? Facts(shift: shift(before: number), start: nil, names: [:])
            return (stream, nil)
        }
    }

    /// Finds out where the stretch before another one ends, which a stream that only goes forward has read.
    private func know(before number: Int) throws(MediaError) {
        guard number > 0, canSeek else { return }
        let before = stretches[number - 1]
        if before.facts == nil || before.facts?.start != nil && before.end == nil { _ = try opened(number - 1) }
    }

    private func shift(before number: Int) -> MediaTime {
        stretches[..<number].last { $0.facts?.start != nil }?.facts?.shift ?? .zero
    }

    private func facts(of number: Int, _ container: ContainerDescription) -> Facts {
        var shift = shift(before: number)
        let end = stretches[..<number].last { $0.end != nil }?.end ?? description.startTime
        let start = container.startTime + shift
        if hint != nil {
            // The receiver places what jumps; only the wrap is continued.
            shift += StampUnwrapper.period * Int((end - start + StampUnwrapper.period / 2).wholeSteps(of: StampUnwrapper.period))
        } else if start < end - Self.longestStepBack {
            shift += end - start
        }
        return Facts(shift: shift, start: container.startTime + shift, names: names(container.tracks))
    }

    // MARK: - Tracks

    /// Which tracks the tracks of a stretch are: those that go on, and new ones.
    private func names(_ tracks: [TrackDescription]) -> [TrackID: TrackID] {
        var names = TrackMatching.matches(of: tracks, with: description.tracks + coming, playing: Set(self.names.values))
        for track in tracks where names[track.id] == nil { names[track.id] = add(track) }
        return names
    }

    private func add(_ track: TrackDescription) -> TrackID {
        var track = track
        let known = (description.tracks + coming).map(\.id)
        if known.contains(track.id) { track.id = TrackID((known.map(\.number).max() ?? 0) + 1) }
        coming.append(track)
        return track.id
    }

    /// Offers the tracks that the current stretch adds.
    private func offerComing() {
        guard let isNewTrackWanted else { return }
        let names = Set(names.values)
        for track in coming where names.contains(track.id) {
            description.tracks.append(track)
            if isNewTrackWanted(track) { wanted.insert(track.id) }
        }
        coming.removeAll { names.contains($0.id) }
    }

    /// FFmpeg finds out what some streams are when their first samples come.
    private func listenForLateTracks() {
        current.demuxer?.offerNewTracks { [unowned self] track in
            let number = current.number
            let others = (description.tracks + coming).filter { other in !names.values.contains(other.id) }
            let id = TrackMatching.matches(of: [track], with: others, playing: [])[track.id] ?? add(track)
            stretches[number].facts?.names[track.id] = id
            offerComing()
            return wanted.contains(id)
        }
    }

    // MARK: - Seeking

    func seek(to time: MediaTime) throws(MediaError) {
        guard canSeek else {
            try current.demuxer?.seek(to: time - (stretches[current.number].facts?.shift ?? .zero))
            return
        }
        takeFindings()
        refusal = nil
        // Each turn knows one more stretch.
        for _ in 0..<Self.mostAtOpening {
            guard let number = try stretch(at: time) else { return }
            if number != current.number || current.demuxer == nil { _ = try enter(number) }
            guard try land(at: time) else { continue }
            // A stretch may begin between key frames: then those before it belong to the place too.
            if try landedLate(at: time), let before = continued(by: number) {
                _ = try enter(before)
                _ = try land(at: time)
            }
            return
        }
    }

    /// The last stretch that begins at or before a time, or the first one.
    private func stretch(at time: MediaTime) throws(MediaError) -> Int? {
        var found: Int?
        for number in stretches.indices {
            if let found, let start = stretches[found].facts?.start, time <= start { return found }
            if stretches[number].facts == nil { _ = try opened(number) }
            if let start = stretches[number].facts?.start, found == nil || start <= time { found = number }
        }
        return found
    }

    /// The stretch before another one, if pictures go on in that without a gap.
    private func continued(by number: Int) -> Int? {
        guard let before = stretches[..<number].lastIndex(where: { $0.facts?.start != nil }),
            let old = stretches[before].facts, let new = stretches[number].facts, let start = new.start,
            let end = stretches[before].end,
            old.shift == new.shift, (start - end).magnitude < Self.longestStepBack
        else { return nil }
        let pictures = Set(description.tracks.filter { $0.type == .video }.map(\.id))
        return pictures.isDisjoint(with: Set(old.names.values).intersection(new.names.values)) ? nil : before
    }

    /// Whether the first picture that is read comes after a time, near the beginning of the current stretch.
    private func landedLate(at time: MediaTime) throws(MediaError) -> Bool {
        guard current.number > 0, let demuxer = current.demuxer, let facts = stretches[current.number].facts,
            let start = facts.start, time - start < Self.longestApproach
        else { return false }
        let pictures = Set(demuxer.description.tracks.filter { $0.type == .video }.map(\.id))
        guard pictures.contains(where: { facts.names[$0].map(wanted.contains) ?? false }) else { return false }
        while held.count < Self.mostHeld {
            if let picture = held.first(where: { pictures.contains($0.track) }) {
                return picture.presentationTime + facts.shift > time
            }
            guard let sample = try demuxer.nextSample() else { return true }
            held.append(sample)
        }
        return false
    }

    /// Seeks within the current stretch.
    ///
    /// - Returns: false if the place may be in another stretch, which is known now.
    private func land(at time: MediaTime) throws(MediaError) -> Bool {
        guard let demuxer = current.demuxer, let facts = stretches[current.number].facts else { return true }
        let (stream, known) = (current.stream, stretches.count)
        (held, readEnd) = ([], nil)
        stream.forgetStray()
        do throws(MediaError) {
            try demuxer.seek(to: time - facts.shift)
            while !stream.isSure, stream.stray == nil, held.count < Self.mostHeld, let sample = try demuxer.nextSample() {
                held.append(sample)
            }
        } catch {
            guard stream.stray != nil else { throw error }
        }
        takeFindings()
        guard let stray = stream.stray else { return stretches.count == known }
        _ = try stream.findEnd(before: stray)
        takeFindings()
        // The demuxer has read what belongs to another stretch.
        current.demuxer = nil
        return false
    }
}
