import MediaModel
import Playback

/// The volumes that an operator allows, in percent.
package struct VolumeLimits: Sendable, Equatable {
    /// The allowed volumes.
    package let range: ClosedRange<Int>
    /// That of a box on which none was set yet.
    package let start: Int

    /// Outside of 0 to 100, and a start outside of the range, are brought to the nearest that is allowed; a least volume above the most is the most.
    package init(start: Int? = nil, least: Int? = nil, most: Int? = nil) {
        let most = min(max(most ?? 100, 0), 100)
        range = min(max(least ?? 0, 0), most)...most
        self.start = min(max(start ?? most, range.lowerBound), range.upperBound)
    }

    func nearest(to percent: Int) -> Int { min(max(percent, range.lowerBound), range.upperBound) }
}

/// The volume of the box: within the operator's limits, and the same after a restart. Main loop only.
@MainActor
final class KeptVolume {
    private static let name = "volume"
    private let player: Player
    private var limits: VolumeLimits
    private let store: any ChoiceStore
    /// In percent.
    private(set) var percent: Int

    init(_ parts: ApplianceParts) {
        player = parts.player
        limits = parts.viewer.volume
        store = parts.viewer.choices
        percent = limits.nearest(to: store.choice(Self.name).flatMap { Int($0) } ?? limits.start)
        player.volume = Float(percent) / 100
    }

    /// The operator allows other volumes than before. What was set stays if it is allowed.
    func take(_ new: VolumeLimits) {
        limits = new
        percent = limits.nearest(to: store.choice(Self.name).flatMap { Int($0) } ?? limits.start)
        player.volume = Float(percent) / 100
    }

    /// That of a box on which none was set yet.
    func beginAgain() {
        set(limits.start)
        store.setChoice(nil, Self.name)
    }

    /// Sets the volume, or the nearest one that is allowed, and stores it.
    func set(_ new: Int) {
        percent = limits.nearest(to: new)
        player.volume = Float(percent) / 100
        store.setChoice("\(percent)", Self.name)
    }
}
