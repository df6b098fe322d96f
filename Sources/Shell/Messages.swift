import LinuxSupport
import Screens
import Viewing

/// Transient messages over everything else: a toast, the reason for a refused key, and the volume.
struct Messages: Sendable, Equatable {
    private var shownToast = Momentary<String>()
    private var shownRefusal = Momentary<RefusalView>()
    private var refusalCount = 0
    private var shownVolume = Momentary<VolumeView>()

    var toast: String? { shownToast.value }
    var refusal: RefusalView? { shownRefusal.value }
    var volume: VolumeView? { shownVolume.value }

    /// When toast, refusal and volume disappear.
    var deadlines: [(timer: InterfaceTimer, deadline: HostTime?)] {
        [(.toast, shownToast.deadline), (.refusal, shownRefusal.deadline), (.volume, shownVolume.deadline)]
    }

    mutating func showToast(_ text: String, for length: Duration = Timing.toast, at now: HostTime) {
        shownToast.show(text, until: now + length)
    }

    mutating func hideToast() { shownToast.clear() }

    /// Shows why a key has no effect. Each refusal has a number, so that the same text is animated again.
    mutating func refuse(_ words: String, at now: HostTime) {
        refusalCount += 1
        shownRefusal.show(RefusalView(words: words, count: refusalCount), until: now + Timing.refusal)
    }

    mutating func hideRefusal() { shownRefusal.clear() }

    /// - Parameter percent: shown as 0 to 100.
    mutating func showVolume(_ percent: Int, isMuted: Bool, at now: HostTime) {
        shownVolume.show(VolumeView(percent: min(max(percent, 0), 100), isMuted: isMuted), until: now + Timing.volume)
    }

    mutating func hideVolume() { shownVolume.clear() }
}
