import MediaModel
import Screens

/// Why a PIN is requested.
package enum PINPurpose: Sendable, Equatable {
    /// A programme over the limit.
    case entry(HomeContent.Entry, rating: String?)
    /// A page of Settings, or a question there, with the words for it.
    case page(MenuPage, about: String)
    /// Settings and search of a kiosk.
    case operatorPages
    /// The Wi-Fi page of a kiosk.
    case wireless
    /// The viewer sets a PIN where there is none, in Settings.
    case newPIN
    /// The viewer sets another PIN, after the one in force.
    case changePIN
    /// The viewer removes the PIN, after typing it.
    case removePIN
}
