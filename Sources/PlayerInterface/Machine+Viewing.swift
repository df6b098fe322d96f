import LinuxSupport
import MediaModel
import MediaTime

/// What the machine asks most of its parts.
extension InterfaceMachine {
    var pin: PINEntry? { overlays.pin }
    var card: Card? { overlays.card }
    var page: Page? { overlays.page }
    var item: ItemPresentation? { viewing.transport.played.item }
    var opening: HomeContent.Entry? { viewing.transport.played.opening }
    var snapshot: PlaybackSnapshot { viewing.transport.played.snapshot }
    var position: MediaTime? { viewing.transport.played.position }
    var isLoading: Bool { viewing.transport.played.isLoading }
    var isLiveWithoutWindow: Bool { viewing.transport.played.isLiveWithoutWindow }
    var wantsToPlay: Bool { viewing.transport.orders.wantsToPlay }
    var mode: Seeking.Mode { viewing.transport.seeking.mode }
    var bar: BarModel {
        get { viewing.transport.bar }
        set { viewing.transport.bar = newValue }
    }
    func clamped(_ content: MediaTime) -> MediaTime { viewing.transport.played.clamped(content) }
    func place(of content: MediaTime, from origin: MediaTime) -> MediaTime {
        viewing.transport.played.place(of: content, from: origin)
    }
    func backTarget(_ place: MediaTime) -> MediaTime { viewing.transport.backTarget(place) }
}
