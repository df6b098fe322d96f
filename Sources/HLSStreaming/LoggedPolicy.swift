import HLSPlaylist
import MediaModel
import MediaTime

/// Wraps a policy and reports its input and decisions to the access and error logs, since every load and failure passes through
/// here.
@MainActor
final class LoggedPolicy: StreamPolicy {
    private let inner: any StreamPolicy
    private let facts: @MainActor (Int) -> RenditionFacts
    private let tell: @MainActor (SourceLogEntry) -> Void
    private var delivered: Int?

    /// - Parameters:
    ///   - facts: the facts of the variant with an index.
    ///   - tell: receives each entry.
    init(
        _ inner: any StreamPolicy, facts: @escaping @MainActor (Int) -> RenditionFacts,
        tell: @escaping @MainActor (SourceLogEntry) -> Void
    ) {
        self.inner = inner
        self.facts = facts
        self.tell = tell
    }

    func firstVariant() -> Int? { inner.firstVariant() }

    func variant(for question: VariantQuestion) -> Int { inner.variant(for: question) }

    func abandon(_ progress: StreamProgress) -> Int? { inner.abandon(progress) }

    func setPathwayPriority(_ pathways: [String]) { inner.setPathwayPriority(pathways) }

    func decoderFallsBehind(_ variant: Int) { inner.decoderFallsBehind(variant) }

    func add(_ variants: [Variant], standingFor bases: [Int]) { inner.add(variants, standingFor: bases) }

    func didLoad(_ load: StreamLoad) {
        inner.didLoad(load)
        let isMedia = load.request.kind == .segment || load.request.kind == .part
        if isMedia, case .variant(let index) = load.request.role, index != delivered {
            delivered = index
            tell(.delivering(facts(index)))
        }
        tell(
            .transferred(
                MediaTransfer(
                    url: load.url, body: load.request.kind.body, serverAddress: load.serverAddress,
                    mediaType: isMedia ? mediaType(load.request.role) : nil, byteCount: load.byteCount,
                    timeToFirstByte: load.timeToFirstByte, transferDuration: load.transferDuration,
                    mediaDuration: isMedia ? load.request.duration : nil)))
    }

    func action(after failure: StreamFailure) -> FailureAction {
        tell(.failed(url: failure.request.url, failure.error))
        return inner.action(after: failure)
    }

    private func mediaType(_ role: RenditionRole) -> MediaType? {
        switch role {
        case .variant, .iFrames: .video
        case .audio: .audio
        case .text: .text
        case .presentation: nil
        }
    }
}
