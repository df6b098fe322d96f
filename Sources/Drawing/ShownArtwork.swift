import LinuxSupport
import MediaModel
import Screens

/// Requests the pictures that are shown, and keeps those that have been loaded. Main loop.
@MainActor
final class ShownArtwork {
    /// The pictures to draw with.
    private(set) var shelf = ImageShelf(byteLimit: 64 << 20)
    /// Called when a picture has been loaded, or is no longer there. A picture that never was changes nothing: its placeholder is drawn already.
    var onChange: (@MainActor () -> Void)?
    /// Whether focus has rested, so that its artwork is shown large.
    var hasRested: Bool { rest.isOver(at: clock.now) }

    /// Called when focus has rested: the pictures of what is shown then are asked for.
    var onRest: (@MainActor () -> Void)?

    private let clock: any HostClock
    private weak var images: (any ImageLoading)?
    private var loading: Set<ImageRequest> = []
    /// How often each picture was invalidated, for those that were.
    private var generations: [String: Int] = [:]
    private var isStopped = false
    private var rest = FocusRest()
    private var restEnd: ScheduledEvent?

    /// - Parameter images: held weakly; nil: nothing is loaded.
    init(clock: any HostClock, images: (any ImageLoading)?) {
        self.clock = clock
        self.images = images
    }

    /// Marks the pictures of a state as shown, and loads those that are not known: large artwork once focus has rested on it.
    func show(_ state: PresentationState, _ scale: Scale) {
        if rest.moves(to: state, at: clock.now) {
            restEnd?.cancel()
            restEnd = rest.length(at: clock.now).map { length in
                clock.schedule(after: length, rank: .drawing) { [weak self] in self?.onRest?() }
            }
        }
        request(state.imageRequests(scale, hasRested: hasRested))
    }

    private func request(_ requests: [ImageRequest]) {
        guard let images else { return }
        shelf.touch(requests)
        for reference in Set(requests.map(\.reference)) { images.use(reference) }
        for request in requests where !shelf.isKnown(request, at: clock.now) && loading.insert(request).inserted {
            let generation = generations[request.reference]
            images.load(request.reference, width: request.width, height: request.height) { [weak self] answer in
                guard let self, !self.isStopped, self.generations[request.reference] == generation else { return }
                self.loading.remove(request)
                switch answer {
                case .picture(let pixels):
                    self.shelf.insert(request, pixels, at: self.clock.now)
                    self.onChange?()
                case .missing:
                    let wasShown = self.shelf.artwork(request).pixels != nil
                    self.shelf.insert(request, nil, at: self.clock.now)
                    if wasShown { self.onChange?() }
                case .dropped: break
                }
            }
        }
    }

    /// Drops a picture, because its content has changed. Answers to earlier requests are ignored.
    func invalidate(_ reference: String) {
        shelf.remove(reference)
        ignoreAnswers(of: reference)
    }

    /// Takes a newer picture in place of one, which stays until then. Answers to earlier requests are ignored.
    func replace(_ reference: String) {
        shelf.outdate(reference)
        ignoreAnswers(of: reference)
    }

    private func ignoreAnswers(of reference: String) {
        loading = loading.filter { $0.reference != reference }
        generations[reference, default: 0] += 1
    }

    /// Ignores all answers from now on.
    func stop() {
        isStopped = true
        restEnd?.cancel()
    }
}
