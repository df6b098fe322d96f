import ChannelFeed
import LinuxSupport
import MediaModel
import MediaSources
import Signatures
import URLReferences

/// A page of a feed as it was loaded.
struct LoadedPage: Sendable, Equatable {
    /// The requested address.
    var address: String
    /// The address after redirections.
    var url: String
    var bytes: [UInt8]
    /// Empty if the feed need not be signed.
    var signature: [UInt8] = []
    /// The ETag, if the server stated one.
    var entityTag: String?

    /// Whether the pages are the same, whatever the server says about their versions.
    func isSame(as other: LoadedPage) -> Bool { address == other.address && url == other.url && bytes == other.bytes }
}

/// One request for a feed: all its pages, each with its signature where keys are pinned. A page that has not changed since the last good feed
/// is not sent again if its server states an ETag, and its signature is not asked for again.
///
/// Main loop; pages are parsed on the thread that it is given.
@MainActor
final class FeedLoad {
    enum Outcome {
        /// All pages are those of the last good feed.
        case unchanged([LoadedPage])
        /// The pages, and what the validator says about them as one feed.
        case judged([LoadedPage], FeedVerdict)
        /// A page was refused before its content was read, with the sentence for the log.
        case refused(FeedCode, String)
        /// A request failed, with the sentence for the log.
        case failed(ErrorCode, String)
    }

    /// What the thread found out.
    private enum Parsed: Sendable {
        case more(FeedPages, next: String)
        case judged(FeedVerdict)
    }

    private let source: FeedKeeper.Source
    /// The pages of the last good feed.
    private let last: [LoadedPage]
    private let appliedRevision: Int64?
    private let loader: any ByteLoading
    private let clock: any HostClock
    private let thread: WorkerThread
    private let completion: @MainActor (Outcome) -> Void
    private var loaded: [LoadedPage] = []
    /// The first pages of `loaded`; nil while they may all be those of the last good feed.
    private var parsed: FeedPages?
    private var task: (any ByteTask)?
    private var isCancelled = false

    /// - Parameters:
    ///   - last: the pages of the last good feed; empty without one.
    ///   - appliedRevision: with pinned keys, the lowest revision that is accepted.
    ///   - completion: called once, unless the request is cancelled.
    init(
        _ source: FeedKeeper.Source, last: [LoadedPage], appliedRevision: Int64?, loader: any ByteLoading, clock: any HostClock,
        thread: WorkerThread, completion: @escaping @MainActor (Outcome) -> Void
    ) {
        self.source = source
        self.last = last
        self.appliedRevision = appliedRevision
        self.loader = loader
        self.clock = clock
        self.thread = thread
        self.completion = completion
    }

    func start() { load(source.address) }

    /// Stops; `completion` is not called any more.
    func cancel() {
        isCancelled = true
        task?.cancel()
        task = nil
    }

    // MARK: Pages

    private func load(_ address: String) {
        let known = last.first { $0.address == address }
        let condition = known?.entityTag.map { ["If-None-Match: \($0)"] } ?? []
        task = loader.load(ByteRequest(url: address, kind: .feed, headers: headers(for: address) + condition)) { [weak self] in
            self?.take($0, of: address, known: known)
        }
    }

    /// The operator's headers may be secrets: another server than the operator's does not get them.
    private func headers(for address: String) -> [String] {
        URLReference(address).hasSameOrigin(as: URLReference(source.address)) ? source.headers : []
    }

    private func take(_ result: Result<ByteResponse, MediaError>, of address: String, known: LoadedPage?) {
        task = nil
        guard !isCancelled else { return }
        switch result {
        case .failure(let error): completion(.failed(error.code, words(address, error.description)))
        case .success(let response):
            if let known, response.status == 304, known.entityTag != nil { return accept(known) }
            var page = LoadedPage(address: address, url: response.url, bytes: response.bytes, entityTag: response.entityTag)
            if let known, known.bytes == page.bytes {
                page.signature = known.signature
                return accept(page)
            }
            guard source.trust != nil else { return accept(page) }
            let place = FeedTrust.signatureAddress(of: address)
            task = loader.load(ByteRequest(url: place, kind: .feed, headers: headers(for: place))) { [weak self] in
                self?.take(signature: $0, of: page)
            }
        }
    }

    private func take(signature result: Result<ByteResponse, MediaError>, of page: LoadedPage) {
        task = nil
        guard !isCancelled else { return }
        switch result {
        case .success(let signature):
            var page = page
            page.signature = signature.bytes
            do throws(PinnedKeys.Fault) {
                try source.trust?.keys.verify(page.bytes, signature: page.signature)
            } catch {
                return completion(.refused(.badSignature, "FEED-090: " + words(page.address, "\(error)")))
            }
            accept(page)
        case .failure(let error) where error.code == .sourceMissing || error.code == .sourceRefused:
            completion(.refused(.badSignature, "FEED-090: " + words(page.address, "it has no signature: \(error.sentence)")))
        case .failure(let error):
            completion(.failed(error.code, words(page.address, "its signature: \(error.description)")))
        }
    }

    /// A sentence about a page, which names it if it is a further one.
    private func words(_ address: String, _ sentence: String) -> String {
        loaded.isEmpty ? sentence : "its page \(Redaction.withoutSecrets(address)): \(sentence)"
    }

    // MARK: What follows

    private func accept(_ page: LoadedPage) {
        loaded.append(page)
        guard parsed == nil, loaded.count <= last.count, zip(loaded, last).allSatisfy({ $0.isSame(as: $1) }) else {
            return parse()
        }
        // As long as nothing has changed, the next page is the next one of the last good feed.
        if loaded.count == last.count { completion(.unchanged(loaded)) } else { load(last[loaded.count].address) }
    }

    private func parse() {
        let (pages, added) = (parsed, Array(loaded.dropFirst(parsed?.count ?? 0)))
        let (hosts, revision, group) = (source.plainHTTPHosts, appliedRevision, source.trust?.group)
        parsed = nil
        clock.compute(on: thread, rank: .timer) {
            var rest = added[...]
            var pages =
                pages
                ?? {
                    let first = rest.removeFirst()
                    return FeedFile.pages(
                        first: first.bytes, url: first.url, plainHTTPHosts: hosts, appliedRevision: revision, group: group)
                }()
            for page in rest { pages.append(page.bytes, url: FeedFile.place(of: page.url)) }
            return if case .load(let next) = pages.step { Parsed.more(pages, next: next) } else {
                .judged(FeedReader.read(pages))
            }
        } then: { [weak self] in
            self?.follow($0)
        }
    }

    private func follow(_ parsed: Parsed) {
        guard !isCancelled else { return }
        switch parsed {
        case .more(let pages, let next):
            self.parsed = pages
            load(next)
        case .judged(let verdict): completion(.judged(loaded, verdict))
        }
    }
}
