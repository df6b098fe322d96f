import MediaModel
import MediaTime
import Screens

/// The effect of Select on a row of a menu.
package enum MenuAction: Sendable, Equatable {
    case open(MenuPage)
    /// A change of the settings; the submenu closes.
    case set(ViewerSettings)
    /// A change of an on/off setting; the menu stays.
    case toggle(ViewerSettings)
    case selectSubtitles(SubtitleChoice)
    case selectAudio(String)
    /// The sound of this item is not heard, until another option is selected.
    case turnSoundOff
    case selectAngle(String)
    case setSpeed(Ratio)
    case setSleep(SleepChoice)
    case listen
    /// Only closes the submenu or the question.
    case close
    /// Something that is not about menus.
    case wants(Intent)
    /// A read-only row. It has focus only if something about it is explained.
    case nothing

    /// Whether selecting it returns to the parent menu.
    var closesSubmenu: Bool {
        switch self {
        case .set, .selectAngle, .setSpeed, .setSleep, .close: true
        case .open, .toggle, .selectSubtitles, .selectAudio, .turnSoundOff, .listen, .wants, .nothing: false
        }
    }

    /// What a viewer wants who selects the row.
    package var intent: Intent { if case .wants(let intent) = self { intent } else { .choose(self) } }
}
