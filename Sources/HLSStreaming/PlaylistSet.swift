import LinuxSupport
import MediaModel
import MediaTime

/// The media playlists of one presentation: each address has one tracker, and one of them is followed for the window of the
/// presentation.
@MainActor
final class PlaylistSet {
    private let context: StreamContext
    private let state: @MainActor () -> ReadingState
    private let onChange: @MainActor () -> Void
    private var trackers: [String: MediaPlaylistTracker] = [:]
    /// In order of creation, because a dictionary has no order.
    private var inOrder: [MediaPlaylistTracker] = []
    /// The playlist that is reloaded while the presentation is open.
    private(set) var followed: MediaPlaylistTracker?
    private var observation = 0
    /// Where playlists are since the presentation was looked up again, by their first addresses.
    private var moved: [String: String] = [:]
    private var isClosed = false

    /// - Parameters:
    ///   - state: the reading position, for the failure policy.
    ///   - onChange: called on the main loop when the followed playlist has changed or failed.
    init(context: StreamContext, state: @escaping @MainActor () -> ReadingState, onChange: @escaping @MainActor () -> Void) {
        self.context = context
        self.state = state
        self.onChange = onChange
    }

    /// The playlist at an address, created at the first call.
    func tracker(_ url: String, role: RenditionRole) -> MediaPlaylistTracker {
        if let known = trackers[url] { return known }
        let tracker = MediaPlaylistTracker(
            address: url, role: role, context: context, state: state, reference: { [weak self] in self?.reference(for: $0) })
        if let address = moved[url] { tracker.move(to: address, reloadsEnded: false) }
        trackers[url] = tracker
        inOrder.append(tracker)
        return tracker
    }

    /// The playlist at an address, if it was used before.
    func known(_ url: String) -> MediaPlaylistTracker? { trackers[url] }

    /// Uses this playlist for the presentation's window from now on, and reloads it.
    func follow(_ tracker: MediaPlaylistTracker) {
        guard tracker !== followed, !isClosed else { return }
        if let followed {
            followed.stopObserving(observation)
            followed.unfollow()
        }
        followed = tracker
        tracker.follow()
        observation = tracker.observe(onChange)
        onChange()
    }

    /// The playlists with these addresses are at other ones now.
    ///
    /// - Parameter reloadsEnded: whether those that have ended are loaded again too.
    func move(_ addresses: [String: String], reloadsEnded: Bool) {
        moved = addresses
        for tracker in inOrder {
            if let address = addresses[tracker.address] { tracker.move(to: address, reloadsEnded: reloadsEnded) }
        }
    }

    func close() {
        isClosed = true
        inOrder.forEach { $0.close() }
    }

    /// A playlist with a known position, relative to which another one is placed: the followed one if possible. One that has not
    /// been loaded since cannot place a reload.
    private func reference(for tracker: MediaPlaylistTracker) -> PlaylistAlignment.Placed? {
        func isNewer(_ other: MediaPlaylistTracker) -> Bool {
            guard other !== tracker, let playlist = other.playlist else { return false }
            return tracker.playlist == nil || other.lastLoad > tracker.lastLoad + Duration(playlist.targetDuration * 2)
        }
        if let followed, isNewer(followed) { return followed.placed }
        return inOrder.first(where: isNewer)?.placed
    }
}
