import ChannelFeed
import MediaModel
import Playback
import PlayerInterface
import ProgrammeGuide

/// What keeping a box asks of the box that viewers see; `Appliance` is behind it. Main loop only.
@MainActor
package protocol ApplianceDoor: AnyObject {
    /// The texts of the viewer's language.
    var strings: StringCatalogue { get }
    /// What plays, and how.
    var nowPlaying: NowPlaying { get }
    /// The log of what plays; nil while nothing does.
    var currentLog: PlaybackLog? { get }
    /// Shows a screen of the box itself in the place of all others, or takes it away with nil. OK and Back do what they are given.
    func showSetUp(_ view: SetUpView?, onSelect: (@MainActor () -> Void)?, onBack: (@MainActor () -> Void)?)
    /// Shows what is wrong with the box's settings over everything, or takes it away with nil.
    func showVerdict(_ view: VerdictView?)
    /// These ids are not played from now on.
    func leaveOut(_ ids: [String])
    /// Takes a feed into use.
    func apply(_ feed: Feed)
    /// Takes a guide that was read from an address.
    func takeGuide(_ listings: GuideListings, from address: String)
    /// Plays what an id of the feed stands for.
    ///
    /// - Returns: false when there is nothing to play under it.
    @discardableResult func open(id: String) -> Bool
    /// What is on now; nil: nothing that could be found in the feed again.
    func session(boot: String) -> Session?
    /// Goes on where a session was.
    ///
    /// - Returns: false when the feed no longer has it.
    @discardableResult func resume(_ session: Session) -> Bool
}

extension ApplianceDoor {
    func showSetUp(_ view: SetUpView?, onSelect: (@MainActor () -> Void)? = nil) {
        showSetUp(view, onSelect: onSelect, onBack: nil)
    }
}
