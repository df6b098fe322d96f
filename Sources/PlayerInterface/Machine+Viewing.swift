import LinuxSupport
import MediaModel
import MediaTime

/// What the machine asks most of its parts.
extension InterfaceMachine {
    var pin: PINEntry? { overlays.pin }
    var card: Card? { overlays.card }
    var page: Page? { overlays.page }
    var item: ItemPresentation? { viewing.played.item }
    var opening: HomeContent.Entry? { viewing.played.opening }
    var clock: ContentClock { viewing.played.clock }
    var snapshot: PlaybackSnapshot { viewing.played.snapshot }
    var position: MediaTime? { viewing.played.position }
    var isLoading: Bool { viewing.played.isLoading }
    var isLiveWithoutWindow: Bool { viewing.played.isLiveWithoutWindow }
    var reach: (lower: MediaTime, upper: MediaTime?) { viewing.played.reach }
    var chapters: [NavigationMarker] { viewing.played.chapters }
    var wantsToPlay: Bool { viewing.orders.wantsToPlay }
    var presenting: InterstitialRange? { viewing.interstitials.presenting }
    var enforcement: Enforcement? { viewing.interstitials.enforcement }
    var mode: Seeking.Mode { viewing.seeking.mode }
    var bar: BarModel {
        get { viewing.bar }
        set { viewing.bar = newValue }
    }
    func clamped(_ content: MediaTime) -> MediaTime { viewing.played.clamped(content) }
    func chapterIndex(at place: MediaTime) -> Int? { viewing.played.chapterIndex(at: place) }
    func place(of content: MediaTime, from origin: MediaTime) -> MediaTime { viewing.played.place(of: content, from: origin) }
    func backTarget(_ place: MediaTime) -> MediaTime { viewing.backTarget(place) }
}
