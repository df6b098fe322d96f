import MediaModel
import Screens

/// Why a PIN is requested.
package enum PINPurpose: Sendable, Equatable {
    /// A programme over the limit.
    case entry(HomeContent.Entry, rating: String?)
    /// The page of the limit.
    case parental
    /// Settings and search of a kiosk.
    case operatorPages
    /// The Wi-Fi page of a kiosk.
    case wireless
    /// The page for the factory reset.
    case factoryReset
    /// The question whether the update on a USB stick is installed.
    case stickUpdate
    /// The question whether a saved programme is deleted: the id of its store, and its title.
    case deletion(String, title: String)
    /// The viewer sets a PIN where there is none, in Settings.
    case newPIN
    /// The viewer sets another PIN, after the one in force.
    case changePIN
    /// The viewer removes the PIN, after typing it.
    case removePIN
}
