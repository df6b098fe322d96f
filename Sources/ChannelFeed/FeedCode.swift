/// The rules for feeds, by the codes under which they are reported. A number never changes its meaning.
package enum FeedCode: String, Sendable, Hashable, CaseIterable {
    /// Not a time.
    case notATime = "FEED-001"
    /// A key or word unknown in this version.
    case unknownKey = "FEED-002"
    /// A value of the wrong type or form, or a missing one.
    case wrongType = "FEED-003"
    /// A key has no effect on an object of this kind.
    case withoutEffect = "FEED-004"
    /// An id that another part of the feed already has.
    case duplicateID = "FEED-010"
    /// A reference to an id that does not exist.
    case noSuchReference = "FEED-011"
    /// Two channels with the same number.
    case duplicateNumber = "FEED-012"
    /// An interstitial outside the item.
    case interstitialOutside = "FEED-020"
    /// Two interstitials at the same time.
    case interstitialOverlap = "FEED-021"
    /// Interstitials that are not ordered by start.
    case interstitialsUnsorted = "FEED-022"
    /// A Skip offered only after the end.
    case skipTooLate = "FEED-023"
    /// An edge of an interstitial that is not a splice point of the stream; found by probing.
    case interstitialNotAtSplice = "FEED-025"
    /// An interstitial across an edge of the trim.
    case interstitialCrossesTrim = "FEED-026"
    /// A marker at or after the end.
    case markerOutside = "FEED-030"
    /// Markers that are not in increasing order.
    case markersNotIncreasing = "FEED-031"
    /// A chapter that starts inside an interstitial.
    case chapterInInterstitial = "FEED-032"
    /// A marker in a part that the trim removes.
    case markerOutsideTrim = "FEED-033"
    /// A proposal that starts inside an interstitial.
    case proposalInInterstitial = "FEED-034"
    /// An overlay that would never be seen.
    case overlayNeverSeen = "FEED-035"
    /// The fades of an overlay are longer than it.
    case overlayFades = "FEED-036"
    /// Something that would be fetched again too often.
    case refreshShort = "FEED-037"
    /// A proposal without a target, or of the item itself.
    case proposalNext = "FEED-040"
    /// A proposal after the end.
    case proposalAfterEnd = "FEED-041"
    /// A countdown that is too short to read.
    case countdownShort = "FEED-042"
    /// Proposals that form a cycle.
    case proposalCycle = "FEED-043"
    /// A proposal of an item that the viewer may not watch without the PIN.
    case proposalLocked = "FEED-044"
    /// Not a language tag.
    case notALanguage = "FEED-050"
    /// A text without its default language.
    case noDefaultText = "FEED-051"
    /// A text that is too long for the screen.
    case textTooLong = "FEED-052"
    /// A text with characters that nothing shows.
    case controlCharacters = "FEED-053"
    /// Plain http to a host that is not allowed.
    case plainHTTP = "FEED-060"
    /// A URL of another scheme, with credentials, or none at all.
    case badURL = "FEED-061"
    /// A codec that this model cannot decode.
    case codecUnsupported = "FEED-062"
    /// Artwork too small or too large.
    case artworkSize = "FEED-063"
    /// No resource at the URL; found by probing.
    case notFound = "FEED-064"
    /// A stream or file that cannot be opened; found by probing.
    case notOpened = "FEED-065"
    /// A stream that is not as the feed states; found by probing.
    case notAsStated = "FEED-066"
    /// A file that is not the stated one: its SHA-256 is another; found by probing.
    case wrongDigest = "FEED-067"
    /// A composition in the feed breaks a rule of compositions.
    case composition = "FEED-068"
    /// More items are marked to be stored than a box stores.
    case tooManyStored = "FEED-069"
    /// A rating system unknown to this box.
    case unknownRatingSystem = "FEED-070"
    /// A rating that does not exist in its system.
    case unknownRating = "FEED-071"
    /// A window that ends before it starts.
    case windowReversed = "FEED-080"
    /// A window that has passed.
    case windowExpired = "FEED-081"
    /// Windows that do not apply because the clock is not trusted.
    case clockNotTrusted = "FEED-082"
    /// A window that a box may miss between two refreshes.
    case windowShort = "FEED-083"
    /// Days and times that cannot be read.
    case notATimetable = "FEED-084"
    /// Two rules of a schedule for one time.
    case rulesOverlap = "FEED-085"
    /// A rule of a schedule whose last date has passed.
    case ruleOver = "FEED-086"
    /// A signature that is missing, invalid or by an unknown key; found when fetching.
    case badSignature = "FEED-090"
    /// A revision lower than one that was applied, or none with pinned keys.
    case revisionFell = "FEED-091"
    /// Groups of boxes of which this one is not, with pinned keys.
    case otherGroup = "FEED-092"
    /// The feed is larger than 16 MiB.
    case tooLarge = "FEED-100"
    /// The feed is not UTF-8.
    case notUTF8 = "FEED-101"
    /// The feed is not JSON.
    case notJSON = "FEED-102"
    /// A key occurs twice in one object.
    case duplicateKey = "FEED-103"
    /// Arrays and objects are nested too deeply.
    case tooDeep = "FEED-104"
    /// The major version is missing or unknown.
    case unknownVersion = "FEED-105"
    /// The feed contains nothing playable.
    case nothingPlayable = "FEED-106"
    /// A further page that cannot be used, or is missing.
    case badPage = "FEED-107"
}
