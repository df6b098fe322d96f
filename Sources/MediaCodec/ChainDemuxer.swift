import MediaModel
import MediaTime

/// Reads the links of a chained Ogg file as one programme: each has a demuxer of its own, as if it were a file, and begins where the one before it ends. Its tracks
/// go on in those of the first link. Confined to one thread at a time.
final class ChainDemuxer: Demuxing {
    /// A link that can be read.
    private struct Link {
        let range: Range<Int64>
        /// Where it begins, in the time of the whole file.
        let start: MediaTime
        /// Added to its time stamps.
        let shift: MediaTime
        /// Which of the first link's tracks its tracks are.
        let names: [TrackID: TrackID]
    }
    private let whole: any ByteStream
    private let links: [Link]
    private var current: (number: Int, demuxer: Demuxer)
    private var wanted: Set<TrackID>
    let description: ContainerDescription

    /// - Throws: the error of the stream, or that of the first link if none can be read.
    init(_ whole: any ByteStream, _ chain: OggChain) throws(MediaError) {
        var links: [Link] = []
        var first: Demuxer?
        var refusal: MediaError?
        var end: MediaTime?
        for range in chain.links {
            do throws(MediaError) {
                let demuxer = Demuxer(try OpenedContainer(PartStream(whole, range), hint: nil))
                let own = demuxer.description
                let start = end ?? own.startTime
                let known = first?.description.tracks ?? own.tracks
                links.append(
                    Link(
                        range: range, start: start, shift: start - own.startTime,
                        names: TrackMatching.matches(of: own.tracks, with: known, playing: [])))
                first = first ?? demuxer
                end = start + (own.duration ?? .zero)
            } catch {
                // What is no media is passed over.
                guard error.code == .sourceFormat else { throw error }
                refusal = refusal ?? error
            }
        }
        guard let first, let start = links.first?.start, let end else {
            throw refusal
                ?? MediaError(.sourceFormat, "Opening \(whole.name) failed: nothing in it can be read; create it again.")
        }
        (self.whole, self.links) = (whole, links)
        var description = first.description
        description.duration = end - start
        self.description = description
        wanted = Set(description.tracks.map(\.id))
        current = (0, first)
    }

    func select(_ tracks: Set<TrackID>) {
        wanted = tracks
        selectCurrent()
    }

    private func selectCurrent() {
        current.demuxer.select(Set(links[current.number].names.filter { wanted.contains($0.value) }.keys))
    }

    func lists(_ track: TrackID) -> Bool { links[current.number].names.values.contains(track) }

    func nextSample() throws(MediaError) -> EncodedSample? {
        while true {
            let link = links[current.number]
            guard var sample = try current.demuxer.nextSample() else {
                guard current.number + 1 < links.count else { return nil }
                try enter(current.number + 1)
                continue
            }
            guard let track = link.names[sample.track], wanted.contains(track) else { continue }
            sample.track = track
            sample.presentationTime += link.shift
            sample.decodeTime += link.shift
            return sample
        }
    }

    private func enter(_ number: Int) throws(MediaError) {
        current = (number, Demuxer(try OpenedContainer(PartStream(whole, links[number].range), hint: nil)))
        selectCurrent()
    }

    func seek(to time: MediaTime) throws(MediaError) {
        let number = links.lastIndex { $0.start <= time } ?? 0
        if number != current.number { try enter(number) }
        try current.demuxer.seek(to: time - links[number].shift)
    }
}
