import BoxModel
import Configuration
import LinuxSupport
import MediaModel
import StatusModel

/// The first run of a box, as far as it is housekeeping: which steps the box has, where channels are found, and whether a chosen source has any. It begins
/// with a key: a box without a remote keeps the screen that explains how it is set up without one.
@MainActor
final class FirstRunKeeper {
    /// What the first run needs of the life of the box.
    struct Surroundings {
        var provisioning: @MainActor () -> Provisioning
        /// The source of these settings.
        var source: @MainActor (Configuration) -> FeedKeeper.Source?
        /// Uses a source from now on, and returns whether it was stored.
        var adopt: @MainActor (FoundSource) -> Bool
        /// Something that is shown has changed.
        var changed: @MainActor () -> Void
        /// The viewer has left it.
        var ended: @MainActor () -> Void
    }

    private let parts: BoxParts
    private let search: SourceSearch
    private let surroundings: Surroundings
    /// Whether the viewer is being led through the steps.
    private(set) var isRunning = false
    private var check: FirstRunFacts.Check?
    private var load: FeedLoad?
    private var thread: WorkerThread?

    init(_ parts: BoxParts, search: SourceSearch, surroundings: Surroundings) {
        self.parts = parts
        self.search = search
        self.surroundings = surroundings
    }

    private var configuration: Configuration { surroundings.provisioning().configuration }

    /// Whether a viewer of a box without channels can begin it: not where only the operator may set the box up.
    var isOffered: Bool { search.keepsSources && !configuration.isKiosk }

    /// The viewer begins.
    func begin() {
        isRunning = true
        surroundings.changed()
    }

    /// It is shown, or is shown again because something has changed.
    ///
    /// - Parameter address: the machine's address in the network.
    func show(address: String?) {
        let found = check == .running || configuration.namesFeed ? [] : sources.map(\.place)
        parts.appliance.showFirstRun(FirstRunFacts(steps: steps, address: address, sources: found, check: check))
    }

    /// Carries out what the viewer wants.
    func perform(_ request: FirstRunRequest) {
        switch request {
        case .end:
            close()
            surroundings.ended()
        case .giveUp:
            load?.cancel()
            finish(nil)
        case .use(let place):
            guard let source = sources.first(where: { $0.place == place }) else { return finish(nil) }
            examine(source)
        case .useAddress(let address):
            guard let source = FoundSource(address: address),
                FeedFile.isLetIn(address, plainHTTPHosts: configuration.plainHTTPHosts)
            else { return finish(.badAddress) }
            examine(source)
        }
    }

    /// Stops.
    func close() {
        load?.cancel()
        // It may be at work on a long feed, for which the main loop does not wait.
        thread?.retire()
        (load, thread, check, isRunning) = (nil, nil, nil, false)
    }

    /// What the file states has no step.
    private var steps: [FirstRunStep] {
        FirstRunStep.allCases.filter { step in
            switch step {
            case .language: configuration.language == nil
            case .pin: configuration.pinDigest == nil
            case .network, .channels, .pictureAndSound: true
            }
        }
    }

    private var sources: [FoundSource] { search.find(for: surroundings.provisioning()) }

    private func finish(_ result: FirstRunFacts.Check?) {
        load = nil
        check = result
        surroundings.changed()
    }

    // MARK: The check

    private func examine(_ source: FoundSource) {
        guard load == nil, !configuration.namesFeed else { return }
        // A file of settings may need all of them for its feed: it is used as it is.
        if case .file = source.kind, source.feed == nil { return use(source, name: nil) }
        let own = surroundings.source(AdoptedSettings.trying(source, over: surroundings.provisioning()).configuration)
        guard var feed = own else { return finish(.badAddress) }
        // A file on a disk is copied only when it is good.
        if let file = source.feed { feed.address = file }
        check = .running
        let thread = thread ?? WorkerThread(name: "first-run", clock: parts.clock)
        self.thread = thread
        let load = FeedLoad(
            feed, last: [], appliedRevision: nil, loader: parts.loader, clock: parts.clock, thread: thread
        ) { [weak self] in self?.take($0, of: source) }
        self.load = load
        load.start()
        surroundings.changed()
    }

    private func take(_ outcome: FeedLoad.Outcome, of source: FoundSource) {
        switch outcome {
        case .unchanged: finish(nil)
        case .failed(let code, let words):
            parts.log.note("first run: \(words)", .warning)
            finish(.unreachable(code))
        case .refused(let code, let words):
            parts.log.note("first run: \(words)", .warning)
            finish(.refused(code.rawValue))
        case .judged(_, let verdict):
            guard let feed = verdict.feed else {
                parts.log.note("first run: what was found is refused (\(verdict.refusal.rawValue))", .warning)
                return finish(.refused(verdict.refusal.rawValue))
            }
            use(source, name: feed.provider?.name?.best(for: [parts.appliance.strings.language]))
        }
    }

    private func use(_ source: FoundSource, name: String?) {
        load = nil
        finish(surroundings.adopt(source) ? .kept(name) : .notKept)
    }
}

extension FoundSource {
    /// What the viewer is shown of it.
    fileprivate var place: FirstRunFacts.Source {
        switch kind {
        case .file(let name, let disk): .file(name, disk: disk)
        case .address(let address): .address(address)
        }
    }
}
