import LinuxSupport
import MediaModel
import MediaSources
import StatusModel
import URLReferences

/// Loads the artwork of the interface: from the disk if it is there, otherwise from its server. Main loop only.
///
/// What comes from the disk is shown at once, and its server is asked whether it has another one: once after each start, and then when what the server
/// allowed is over, while it is shown. What cannot be loaded is asked for again by a timer (`ArtworkRetries`). Only pictures are kept, of web addresses, and
/// only if their server allows it.
@MainActor
package final class ArtworkCache {
    /// What is wrong with a picture; nil for one that can be drawn. Called on a worker thread.
    package typealias Check = @Sendable (_ bytes: [UInt8]) -> MediaError?
    package typealias Answer = @MainActor @Sendable (Result<[UInt8], MediaError>) -> Void

    /// A picture that was asked for and is on its way from its server to the disk.
    private struct Fetch {
        var answers: [Answer] = []
        /// Set when it has come, until it is on the disk.
        var bytes: [UInt8]?
    }
    /// A picture that was given out.
    private struct Known {
        /// The header line with which its server is asked whether it has changed.
        var condition: String?
        /// From when on its server is asked again.
        var due: HostTime
    }

    /// Sent with an address whose picture is another one now, is there at last, or is there no longer.
    package let changes = EventSource<String>()
    private let loader: any ByteLoading
    private let network: any ByteLoading
    package let files: ArtworkFiles?
    private let clock: any HostClock
    private let log: LogBook
    private let check: Check
    private let thread: WorkerThread
    private var fetches: [String: Fetch] = [:]
    private var known: [String: Known] = [:]
    private var retries = ArtworkRetries()
    /// Those whose server is asked behind what is shown, the next one first; and how many are being asked.
    private var behind: [String] = []
    private var asked: Set<String> = []
    /// Those with which a server that does not answer is tried.
    private var attempts: Set<String> = []
    private var timer: ScheduledEvent?
    private var isClosed = false

    /// How long a picture counts as fresh of which its server says nothing, and what it may say at the least and at the most.
    static let fresh = (usual: Duration.seconds(3600), least: Duration.seconds(300), most: Duration.seconds(86_400))
    /// Requests at a time behind what is shown.
    private static let mostAsked = 4
    /// Of more pictures than this, those that are due first are forgotten: their servers are asked when they are loaded again.
    private static let mostKnown = 2048

    /// - Parameters:
    ///   - loader: loads what is shown; it may have it on this machine.
    ///   - network: asks servers.
    ///   - files: where pictures are kept; nil for nowhere.
    ///   - thread: where pictures are checked.
    package init(
        loader: any ByteLoading, network: any ByteLoading, files: ArtworkFiles?, clock: any HostClock, log: LogBook,
        thread: WorkerThread, check: @escaping Check
    ) {
        self.loader = loader
        self.network = network
        self.files = files
        self.clock = clock
        self.log = log
        self.check = check
        self.thread = thread
    }

    /// Stops all work; nothing is answered any more.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        files?.close()
    }

    // MARK: - What is shown

    /// Loads a picture.
    ///
    /// - Parameter answer: called once. What was missing is asked for again by the cache, which then sends `changes`.
    package func load(_ address: String, _ answer: @escaping Answer) {
        if fetches[address] != nil { return join(address, answer) }
        guard let files, Self.isKept(address) else { return fetch(address, answer) }
        files.read(address) { [weak self] stored in
            guard let self, !isClosed else { return }
            guard let stored else { return fetch(address, answer) }
            know(address, stored.condition, due: known[address]?.due ?? clock.now)
            answer(.success(stored.bytes))
            use(address)
        }
    }

    /// A picture is shown now: its server is asked again if it is time.
    package func use(_ address: String) {
        guard let picture = known[address], picture.due <= clock.now, !retries.isWaiting(address, at: clock.now) else { return }
        askBehind(address)
    }

    /// The network is another one, or is there again.
    package func networkReturned() {
        for address in retries.takeAll() { askBehind(address) }
        wait()
    }

    private func join(_ address: String, _ answer: @escaping Answer) {
        if let bytes = fetches[address]?.bytes { return answer(.success(bytes)) }
        fetches[address]?.answers.append(answer)
    }

    private func fetch(_ address: String, _ answer: @escaping Answer) {
        if fetches[address] != nil { return join(address, answer) }
        guard !retries.isWaiting(address, at: clock.now) else {
            return answer(.failure(MediaError(.sourceFailed, "Loading \(address) failed before; it is tried again later.")))
        }
        fetches[address] = Fetch(answers: [answer])
        // A request that is under way brings it, unless it has a condition: its answer may then be that nothing has changed (304).
        if asked.contains(address), known[address] == nil { return }
        loader.load(ByteRequest(url: address, kind: .artwork)) { [weak self] in self?.take($0, of: address) }
    }

    // MARK: - Behind what is shown

    private func askBehind(_ address: String) {
        guard !asked.contains(address), !behind.contains(address) else { return }
        behind.append(address)
        askNext()
    }

    private func askNext() {
        while !isClosed, asked.count < Self.mostAsked, !behind.isEmpty {
            let address = behind.removeFirst()
            let isAttempt = attempts.remove(address) != nil
            // It is on its way for the screen, or its server does not answer now.
            guard fetches[address] == nil, isAttempt || !retries.postpones(address, at: clock.now) else { continue }
            asked.insert(address)
            var request = ByteRequest(url: address, kind: .artwork)
            request.headers = known[address]?.condition.map { [$0] } ?? []
            network.load(request) { [weak self] result in
                guard let self, !isClosed else { return }
                asked.remove(address)
                take(result, of: address)
                askNext()
            }
        }
    }

    // MARK: - Answers

    private func take(_ result: Result<ByteResponse, MediaError>, of address: String) {
        guard !isClosed else { return }
        switch result {
        case .failure(let error): failed(address, error)
        case .success(let response) where response.status == 304 && known[address]?.condition != nil:
            answered(address)
            retries.succeeded(address)
            know(address, known[address]?.condition, due: clock.now + Self.freshness(of: response))
        case .success(let response):
            clock.compute(on: thread, rank: .transfer) { [check] in
                check(response.bytes)
            } then: { [weak self] fault in
                guard let self, !isClosed else { return }
                if let fault { failed(address, fault) } else { take(picture: response, of: address) }
            }
        }
    }

    private func take(picture response: ByteResponse, of address: String) {
        if !response.isStored { answered(address) }
        retries.succeeded(address)
        know(
            address, response.condition.first,
            due: response.isStored ? clock.now : clock.now + Self.freshness(of: response))
        guard fetches[address] == nil else {
            let answers = fetches[address]!.answers
            fetches[address] = Fetch(bytes: response.bytes)
            keep(response, of: address)
            for answer in answers { answer(.success(response.bytes)) }
            return
        }
        guard let files, Self.isKept(address) else { return show(response, of: address) }
        files.read(address) { [weak self] stored in
            // Nothing is written of a picture that is the same.
            guard let self, !isClosed, stored?.bytes != response.bytes else { return }
            show(response, of: address)
        }
    }

    /// Replaces the picture on the screen by a newer one, for which no request of the screen waits.
    private func show(_ response: ByteResponse, of address: String) {
        fetches[address] = Fetch(bytes: response.bytes)
        changes.send(address)
        keep(response, of: address)
    }

    private func keep(_ response: ByteResponse, of address: String) {
        let done: @MainActor @Sendable () -> Void = { [weak self] in self?.fetches[address] = nil }
        // What is on this machine already is not copied.
        guard let files, Self.isKept(address), !response.isStored else { return clock.reserve(rank: .transfer).fulfil(done) }
        guard response.cacheControl?.isStorable != false else {
            files.remove(address)
            return clock.reserve(rank: .transfer).fulfil(done)
        }
        files.keep(response.bytes, condition: response.condition.first, of: address, done)
    }

    private func failed(_ address: String, _ error: MediaError) {
        let answers = fetches.removeValue(forKey: address)?.answers ?? []
        let isNews: Bool
        if !Self.isKept(address) {
            // A file, which costs nothing to be looked for when it is drawn again.
            isNews = true
        } else if Self.isOfPicture(error) {
            answered(address)
            isNews = retries.wasRefused(address, at: clock.now)
        } else {
            isNews = retries.serverFailed(address, at: clock.now)
        }
        if isNews { log.note("artwork: \(error.sentence)") }
        wait()
        for answer in answers { answer(.failure(error)) }
        guard Self.isGone(error) else { return }
        files?.remove(address)
        if known.removeValue(forKey: address) != nil { changes.send(address) }
    }

    /// A server answers: what waited for it follows.
    private func answered(_ address: String) {
        for other in retries.serverAnswered(address) { askBehind(other) }
        wait()
    }

    private func know(_ address: String, _ condition: String?, due: HostTime) {
        known[address] = Known(condition: condition, due: due)
        guard known.count > Self.mostKnown else { return }
        for (other, _) in known.sorted(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }).prefix(Self.mostKnown / 2) {
            known[other] = nil
        }
    }

    private func wait() {
        timer?.cancel()
        timer =
            isClosed ? nil : retries.next.map { time in clock.schedule(at: time, rank: .timer) { [weak self] in self?.retry() } }
    }

    private func retry() {
        for address in retries.takeDue(at: clock.now) {
            attempts.insert(address)
            askBehind(address)
        }
        wait()
    }

    // MARK: - Rules

    /// Files and pictures inside an address are on this machine already.
    private static func isKept(_ address: String) -> Bool {
        ["http", "https"].contains(URLReference(address).scheme?.lowercased())
    }

    /// The address has no picture any more (RFC 9110, 15.5.5 and 15.5.11).
    private static func isGone(_ error: MediaError) -> Bool { [.status(404), .status(410)].contains(error.fault) }

    /// Whether the server answers, and it is this picture that is at fault.
    private static func isOfPicture(_ error: MediaError) -> Bool {
        switch error.fault {
        case .status(let status): (400..<500).contains(status) && status != 408 && status != 429
        case .tooLong, .webPage, .wrongLength, .redirects, .unreadable: true
        case .refused: error.code != .networkMetered
        case .unresolved, .unreachable, .insecure, .noFirstByte, .stalled, .overdue, .broken, .rangeIgnored: false
        // A picture that cannot be decoded.
        case nil: true
        }
    }

    private static func freshness(of response: ByteResponse) -> Duration {
        let stated = response.cacheControl?.maximumAge.map { $0 - (response.age ?? .zero) }
        return min(max(stated ?? fresh.usual, fresh.least), fresh.most)
    }
}
