import MediaModel
import Synchronization

/// Passes the layers of the interface to a display, as the player's scheduler does, without a film.
final class LayerShop: PresentationSource {
    private struct State {
        var layers: [InterfaceLayer] = []
        var isNew = false
    }
    private let state = Mutex(State())

    /// Shows these layers from now on.
    func put(_ layers: [InterfaceLayer]) {
        state.withLock { $0 = State(layers: layers, isNew: true) }
    }

    func answer(to opportunity: PresentationOpportunity) -> PresentationAnswer {
        state.withLock { state in
            guard state.isNew else { return PresentationAnswer(scene: nil, wantsNext: false) }
            state.isNew = false
            return PresentationAnswer(scene: Scene(layers: state.layers, wantedTime: opportunity.targetTime), wantsNext: false)
        }
    }

    func didPresent(_ flip: Flip) {}

    func displayDidChange(_ mode: DisplayMode?) {}
}
