import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import HLSStreaming

@Suite("The simplest policy")
@MainActor
struct FixedPolicyTests {
    private func action(
        _ kind: ResourceKind, attempts: Int = 1, missed: Int = 0, behind: Bool = false, delivered: Bool = false,
        isLive: Bool = false
    ) -> FailureAction {
        let policy = FixedPolicy(variants: [], selection: VariantSelection(width: 1920, height: 1080) { _ in true })
        return policy.action(
            after: StreamFailure(
                request: StreamRequest(kind: kind, role: .variant(0), url: "http://h/x"),
                error: MediaError(.sourceMissing, "Loading x failed.", fault: .status(404)), attempts: attempts,
                missedSegments: missed, hasMediaBehind: behind,
                state: ReadingState(hasDelivered: delivered, behindLive: isLive ? .seconds(6) : nil)))
    }

    @Test("a missing segment is a gap, and the third in a row ends the item", arguments: [ResourceKind.segment, .part])
    func segments(_ kind: ResourceKind) {
        #expect(action(kind, behind: true) == .skip)
        #expect(action(kind, delivered: true) == .skip)
        #expect(action(kind) == .fail)
        #expect(action(kind, missed: 1, behind: true) == .skip)
        #expect(action(kind, missed: 2, behind: true, delivered: true) == .fail)
    }

    @Test("a live playlist is requested six times, one on demand once")
    func playlists() {
        #expect(action(.playlist, attempts: 5, isLive: true) == .retry(after: .seconds(1)))
        #expect(action(.playlist, attempts: 6, isLive: true) == .fail)
        #expect(action(.playlist, attempts: 1) == .fail)
    }

    @Test("keys and initialization sections are required; asset lists and steering are not")
    func others() {
        #expect(action(.key, behind: true, delivered: true) == .fail)
        #expect(action(.initialization, behind: true, delivered: true) == .fail)
        #expect(action(.assetList) == .skip && action(.steering) == .skip)
    }
}
