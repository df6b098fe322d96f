import BoxModel
import Screens
import Viewing

/// The keys with the same effect in every state except standby.
struct GlobalKeys: Sendable {
    let screen: PresentationState.Screen
    /// Whether the PIN is being typed, which some keys must not end.
    let asksForPIN: Bool
    /// Whether Home has anything to show.
    let hasHome: Bool

    /// - Returns: nil for another key.
    func act(_ key: RemoteKey) -> KeyOutcome? {
        switch key {
        case .volumeUp: .wants(.request(.changeVolume(1)))
        case .volumeDown: .wants(.request(.changeVolume(-1)))
        case .mute: .wants(.request(.changeVolume(0)))
        case .power: .wants(.standby)
        case .guide where !asksForPIN: .wants(.toggleGuide)
        case .home where screen == .player && !asksForPIN: hasHome ? .wants(.goHome) : .refused(.notSupported)
        case .stop where !asksForPIN: hasHome ? .wants(.leave) : .refused(.notSupported)
        default: nil
        }
    }
}
