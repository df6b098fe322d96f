/// The rules of a feed, by the codes under which they are reported. The numbers never change their meaning.
package enum FeedCode: String, Sendable, Hashable, CaseIterable {
    /// Not a time.
    case notATime = "FEED-001"
    /// A key or word that this version does not know.
    case unknownKey = "FEED-002"
    /// A value of the wrong type or form, or one that is missing.
    case wrongType = "FEED-003"
    /// An id that another part of the feed has already.
    case duplicateID = "FEED-010"
    /// A reference to nothing.
    case noSuchReference = "FEED-011"
    /// Two channels with one number.
    case duplicateNumber = "FEED-012"
    /// An interstitial outside the item.
    case interstitialOutside = "FEED-020"
    /// Two interstitials at one time.
    case interstitialOverlap = "FEED-021"
    /// Interstitials that are not in the order of their start.
    case interstitialsUnsorted = "FEED-022"
    /// A Skip offered only after the end.
    case skipTooLate = "FEED-023"
    /// An edge of an interstitial that is no splice of the stream; found by probing.
    case interstitialNotAtSplice = "FEED-025"
    /// An interstitial across an edge of the trim.
    case interstitialCrossesTrim = "FEED-026"
    /// A marker at or after the end.
    case markerOutside = "FEED-030"
    /// Markers that do not go forward.
    case markersNotIncreasing = "FEED-031"
    /// A chapter that starts inside an interstitial.
    case chapterInInterstitial = "FEED-032"
    /// A marker in what the trim cuts away.
    case markerOutsideTrim = "FEED-033"
    /// A proposal that starts inside an interstitial.
    case proposalInInterstitial = "FEED-034"
    /// A proposal of nothing, or of the item itself.
    case proposalNext = "FEED-040"
    /// A proposal after the end.
    case proposalAfterEnd = "FEED-041"
    /// A countdown too short to be read.
    case countdownShort = "FEED-042"
    /// Proposals that lead round in a circle.
    case proposalCycle = "FEED-043"
    /// A proposal of what the viewer may not watch without the PIN.
    case proposalLocked = "FEED-044"
    /// Not a language tag.
    case notALanguage = "FEED-050"
    /// A text without its default language.
    case noDefaultText = "FEED-051"
    /// A text that is too long for the screen.
    case textTooLong = "FEED-052"
    /// Plain http to a host that is not allowed.
    case plainHTTP = "FEED-060"
    /// A URL of another scheme, with credentials, or none at all.
    case badURL = "FEED-061"
    /// A codec that this model does not decode.
    case codecUnsupported = "FEED-062"
    /// Artwork too small or too large.
    case artworkSize = "FEED-063"
    /// Nothing at the URL; found by probing.
    case notFound = "FEED-064"
    /// A rating system that this box does not know.
    case unknownRatingSystem = "FEED-070"
    /// A rating that its system does not have.
    case unknownRating = "FEED-071"
    /// A window that ends before it begins.
    case windowReversed = "FEED-080"
    /// A window that has passed.
    case windowExpired = "FEED-081"
    /// Windows that wait because the clock is not trusted.
    case clockNotTrusted = "FEED-082"
    /// A window that a box may miss between two refreshes.
    case windowShort = "FEED-083"
    /// A signature that is missing, wrong or of an unknown key; found when fetching.
    case badSignature = "FEED-090"
    /// A revision lower than one that was applied, or none where keys are pinned.
    case revisionFell = "FEED-091"
    /// The whole is over 16 MiB.
    case tooLarge = "FEED-100"
    /// The whole is not UTF-8.
    case notUTF8 = "FEED-101"
    /// The whole is not JSON.
    case notJSON = "FEED-102"
    /// A key stands twice in one object.
    case duplicateKey = "FEED-103"
    /// Arrays and objects lie too deep in one another.
    case tooDeep = "FEED-104"
    /// The major version is missing or unknown.
    case unknownVersion = "FEED-105"
    /// Nothing in it can be played.
    case nothingPlayable = "FEED-106"
}
