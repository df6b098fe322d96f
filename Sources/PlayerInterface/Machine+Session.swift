import MediaTime

/// What a player that is started again needs to go on where this one is.
extension InterfaceMachine {
    /// Where the viewer would go on now: the saved target with the interstitial owed before it while one is enforced, the end of an interstitial inside it, else the
    /// position. Nil where there is none, as with live.
    package var currentPlace: SavedPlace? { placeToSave }

    /// Whether there is something to play and the viewer wants it to stand still.
    package var isPausedByViewer: Bool { item != nil && !wantsToPlay }

    /// The speed that the viewer chose for what plays; an advertisement in it plays at its own.
    package var chosenSpeed: Ratio { session.speed.chosen }
}
