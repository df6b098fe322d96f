import ChannelFeed
import Cryptography
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Playback
import URLReferences
import WireFormats

/// Carries out a probe over the network. Main loop.
///
/// Every request has the time-outs and the longest body of its kind, and every job a deadline, so that a hostile server costs one job and not
/// the probe.
@MainActor
package final class ProbeRunner {
    /// Opens a file or a composition.
    package typealias OpenFile =
        @MainActor (
            _ location: StreamLocation, _ completion: @escaping @MainActor (Result<SourceDescription, MediaError>) -> Void
        ) -> Void

    /// The longest time for one job.
    package static let longestJob = Duration.seconds(60)
    /// The first bytes of a file tell whether it is a playlist.
    private static let headLength: Int64 = 512

    private let loader: any ByteLoading
    private let clock: any HostClock
    private let openFile: OpenFile
    private let selection: VariantSelection
    private var probe: FeedProbe
    private var deadlines: [ProbeJob: ScheduledEvent] = [:]
    private var tasks: [ProbeJob: any ByteTask] = [:]
    private let progress: @MainActor (_ done: Int, _ total: Int) -> Void
    private var completion: (@MainActor (FeedProbe) -> Void)?

    /// - Parameter selection: which variant this model plays.
    package init(
        _ probe: FeedProbe, loader: any ByteLoading, clock: any HostClock, selection: VariantSelection,
        openFile: @escaping OpenFile,
        progress: @escaping @MainActor (_ done: Int, _ total: Int) -> Void
    ) {
        self.probe = probe
        self.loader = loader
        self.clock = clock
        self.openFile = openFile
        self.selection = selection
        self.progress = progress
    }

    /// Runs the probe. The completion runs once, on the main loop.
    package func run(_ completion: @escaping @MainActor (FeedProbe) -> Void) {
        self.completion = completion
        carryOut(probe.handle(.start))
    }

    private func carryOut(_ effects: [FeedProbe.Effect]) {
        for effect in effects {
            switch effect {
            case .progressed(let done, let total): progress(done, total)
            case .finish:
                completion?(probe)
                completion = nil
            case .ask(let job): start(job)
            }
        }
    }

    private func start(_ job: ProbeJob) {
        deadlines[job] = clock.schedule(after: Self.longestJob) { [weak self] in
            self?.answer(job, .failed("it was not opened within \(Self.longestJob.components.seconds) s"))
        }
        switch job {
        case .stream(.composition(let composition)): open(.composition(composition), for: job)
        case .stream(.url(let url)):
            // The name decides only what is tried first.
            if URLReference(url).path.lowercased().hasSuffix(".m3u8") {
                loadPlaylist(url, for: job)
            } else {
                sniff(url, for: job)
            }
        case .resource(let url): askWhether(url, for: job)
        case .thumbnails(let url): loadHeader(url, for: job)
        case .digest(let url): loadWhole(url, for: job)
        }
    }

    /// Later answers to a job are ignored: the first one counts.
    private func answer(_ job: ProbeJob, _ answer: ProbeAnswer) {
        guard let deadline = deadlines.removeValue(forKey: job) else { return }
        deadline.cancel()
        tasks.removeValue(forKey: job)?.cancel()
        carryOut(probe.handle(.answered(job, answer)))
    }

    private func load(
        _ url: String, _ kind: BodyKind, _ range: Range<Int64>? = nil, for job: ProbeJob,
        then: @escaping @MainActor (Result<ByteResponse, MediaError>) -> Void
    ) {
        let request = ByteRequest(url: url, kind: kind, range: range, totalTimeout: Self.longestJob)
        tasks[job] = loader.load(request) { [weak self] result in
            guard self?.deadlines[job] != nil else { return }
            then(result)
        }
    }

    /// Why something could not be loaded, as an answer.
    private static func answer(_ error: MediaError) -> ProbeAnswer {
        error.code == .sourceMissing ? .missing : .failed(error.sentence)
    }

    // MARK: Streams

    private func sniff(_ url: String, for job: ProbeJob) {
        load(url, .document, 0..<Self.headLength, for: job) { [self] result in
            switch result {
            case .success(let response) where PlaylistHead.isBeginning(response.bytes): loadPlaylist(url, for: job)
            // What the server answered is the answer for the stream, whatever it is.
            case .failure(let error) where [.sourceMissing, .sourceRefused, .sourceFailed].contains(error.code):
                answer(job, Self.answer(error))
            // A server without ranges, or a file shorter than that: the demuxer decides.
            case .success, .failure: open(.url(url), for: job)
            }
        }
    }

    private func open(_ location: StreamLocation, for job: ProbeJob) {
        openFile(location) { [weak self] result in
            switch result {
            case .success(let source): self?.answer(job, .stream(StreamFacts(source)))
            case .failure(let error): self?.answer(job, Self.answer(error))
            }
        }
    }

    private func loadPlaylist(_ url: String, for job: ProbeJob) {
        load(url, .playlist, for: job) { [self] result in
            switch result {
            case .failure(let error): answer(job, Self.answer(error))
            // Something else may have the name of a playlist.
            case .success(let response) where !PlaylistHead.isBeginning(response.bytes): open(.url(url), for: job)
            case .success(let response):
                switch Self.parse(response, variables: [:]) {
                case .media(let playlist)?:
                    check(playlist, at: response.url, for: job) { [self] in
                        answer(job, .stream(PlaylistFacts.facts(nil, playlist)))
                    }
                case .multivariant(let multivariant)?: loadVariant(of: multivariant, at: response.url, for: job)
                case nil: answer(job, .unusable("it is not an HLS playlist that the box reads (see marquee hls inspect)"))
                }
            }
        }
    }

    /// The durations and splices of all variants are the same (RFC 8216, 6.2.4): the one that the box plays stands for them. Its sound may be a playlist of
    /// its own, with other keys.
    private func loadVariant(of multivariant: MultivariantPlaylist, at base: String, for job: ProbeJob) {
        let variants = multivariant.variants
        guard !variants.isEmpty else { return answer(job, .unusable("the playlist has no variant")) }
        guard let chosen = selection.choose(from: variants) else {
            let codecs = variants.flatMap(\.codecs).filter { selection.canDecode($0) == false }
            return answer(job, .unplayable(.noVariant(Array(Set(codecs)).sorted())))
        }
        loadMedia(variants[chosen].uri, "the variant that the box plays", of: multivariant, at: base, for: job) { [self] media in
            let sounds = multivariant.renditions.filter { $0.type == .audio && $0.groupID == variants[chosen].audioGroup }
            guard let uri = (sounds.first(where: \.isDefault) ?? sounds.first)?.uri else {
                return answer(job, .stream(PlaylistFacts.facts(multivariant, media)))
            }
            loadMedia(uri, "its sound", of: multivariant, at: base, for: job) { [self] _ in
                answer(job, .stream(PlaylistFacts.facts(multivariant, media)))
            }
        }
    }

    /// Loads a media playlist and checks its protection.
    ///
    /// - Parameter name: what it is, for the finding.
    private func loadMedia(
        _ uri: String, _ name: String, of multivariant: MultivariantPlaylist, at base: String, for job: ProbeJob,
        then: @escaping @MainActor (MediaPlaylist) -> Void
    ) {
        load(URLReference.resolve(reference: uri, against: base), .playlist, for: job) { [self] result in
            switch result {
            case .failure(let error): answer(job, .failed("\(name) cannot be loaded: \(error.sentence)"))
            case .success(let response):
                guard case .media(let media)? = Self.parse(response, variables: multivariant.variables) else {
                    return answer(job, .unusable("the playlist of \(name) cannot be read"))
                }
                check(media, at: response.url, for: job) { then(media) }
            }
        }
    }

    /// Whether every segment can be decrypted, and the key of the first one is there.
    private func check(_ playlist: MediaPlaylist, at base: String, for job: ProbeJob, then: @escaping @MainActor () -> Void) {
        let keys = playlist.segments.lazy.compactMap(\.key)
        if let key = keys.first(where: { !$0.isPlayable }) { return answer(job, .unplayable(.protected(key.protectionName))) }
        guard let key = keys.first(where: { $0.method != .none }) else { return then() }
        let url = URLReference.resolve(reference: key.uri ?? "", against: base)
        load(url, .document, for: job) { [self] result in
            switch result {
            case .failure(let error):
                answer(job, .unplayable(.keyMissing("the key of its first segment cannot be loaded: \(error.sentence)")))
            case .success(let response) where response.bytes.count != 16:
                answer(job, .unplayable(.keyMissing("the key of its first segment has \(response.bytes.count) bytes and not 16")))
            case .success: then()
            }
        }
    }

    private static func parse(_ response: ByteResponse, variables: [String: String]) -> Playlist? {
        PlaylistParser(importedVariables: variables, url: response.url).parse(response.bytes).playlist
    }

    // MARK: Files

    private func askWhether(_ url: String, for job: ProbeJob) {
        load(url, .document, 0..<1, for: job) { [self] result in
            switch result {
            case .success: answer(job, .present)
            case .failure(let error):
                switch error.fault {
                // There is something, and a server without ranges.
                case .tooLong?, .rangeIgnored?, .wrongLength?: answer(job, .present)
                default: answer(job, Self.answer(error))
                }
            }
        }
    }

    private func loadHeader(_ url: String, for job: ProbeJob) {
        load(url, .document, 0..<Int64(BIFFormat.headerLength), for: job) { [self] result in
            switch result {
            case .failure(let error): answer(job, Self.answer(error))
            case .success(let response):
                guard let length = BIFIndex.length(header: response.bytes) else {
                    return answer(job, .unusable("it does not begin like a BIF file of version 0"))
                }
                loadIndex(url, length: length, for: job)
            }
        }
    }

    private func loadIndex(_ url: String, length: Int, for job: ProbeJob) {
        load(url, .document, 0..<Int64(length), for: job) { [self] result in
            switch result {
            case .failure(let error): answer(job, Self.answer(error))
            case .success(let response):
                if let index = BIFIndex(response.bytes) {
                    answer(job, .thumbnails(pictures: index.entries.count))
                } else {
                    answer(job, .unusable("the index of the BIF file is damaged"))
                }
            }
        }
    }

    private func loadWhole(_ url: String, for job: ProbeJob) {
        load(url, .media, for: job) { [self] result in
            switch result {
            case .failure(let error): answer(job, Self.answer(error))
            case .success(let response):
                answer(job, .digest(SHA256.digest(response.bytes).hexadecimal))
            }
        }
    }
}

/// What playlists say about a stream.
enum PlaylistFacts {
    static func facts(_ multivariant: MultivariantPlaylist?, _ media: MediaPlaylist) -> StreamFacts {
        var facts = StreamFacts()
        facts.duration = media.duration.time
        facts.isLive = media.duration == .live
        facts.splices = media.segments.filter(\.isDiscontinuity).map(\.startTime).filter { $0 > .zero }
        guard let multivariant else { return facts }
        facts.height = multivariant.variants.compactMap(\.resolution?.height).max()
        facts.codecs = Array(Set(multivariant.variants.flatMap(\.codecs))).sorted()
        let audio = multivariant.renditions.filter { $0.type == .audio }
        if !audio.isEmpty, audio.allSatisfy({ $0.language != nil }) {
            facts.sounds = audio.map { rendition in
                StreamFacts.Sound(
                    language: rendition.language,
                    isDescription: rendition.characteristics.contains("public.accessibility.describes-video"))
            }
        }
        return facts
    }
}
