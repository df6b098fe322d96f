/// Where a key of metadata comes from: each format names things its own way, and the common space is what several of them mean alike.
/// The raw values are those of `AVMetadataKeySpace`, where it has one.
public struct MetadataKeySpace: RawRepresentable, Sendable, Hashable, Comparable {
    /// The name, e.g. `org.id3`.
    public let rawValue: String

    /// Names a key space.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What several formats mean alike: title, artist, artwork …
    public static let common = MetadataKeySpace(rawValue: "comn")
    /// Frames of ID3v2, by their four (2.2: three) letters.
    public static let id3 = MetadataKeySpace(rawValue: "org.id3")
    /// Boxes of QuickTime user data (`udta`), by their four characters.
    public static let quickTimeUserData = MetadataKeySpace(rawValue: "udta")
    /// QuickTime metadata (`mdta`), by reverse domain names, e.g. `com.apple.quicktime.title`.
    public static let quickTimeMetadata = MetadataKeySpace(rawValue: "mdta")
    /// The item list of iTunes (`ilst`), by four characters; `----` atoms by `mean/name`.
    public static let iTunes = MetadataKeySpace(rawValue: "itsk")
    /// Boxes of ISO and 3GPP user data, by their four characters.
    public static let isoUserData = MetadataKeySpace(rawValue: "uiso")
    /// Tags of Matroska and WebM, by name, e.g. `TITLE`; above the level of the file as `TARGET/NAME`.
    public static let matroska = MetadataKeySpace(rawValue: "org.matroska")
    /// Comments of Vorbis, Opus and FLAC, by name in capitals.
    public static let vorbisComment = MetadataKeySpace(rawValue: "org.xiph.vorbis-comment")
    /// Attributes of EXT-X-DATERANGE.
    public static let hlsDateRange = MetadataKeySpace(rawValue: "lsdr")
    /// EXT-X-SESSION-DATA, by DATA-ID.
    public static let hlsSessionData = MetadataKeySpace(rawValue: "hlssd")

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One key in one key space; written `space/key` as AVFoundation writes identifiers.
public struct MetadataIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Where the key comes from.
    public var keySpace: MetadataKeySpace
    /// The key in the format's own words.
    public var key: String

    /// Joins a space and a key.
    public init(_ keySpace: MetadataKeySpace, _ key: String) {
        self.keySpace = keySpace
        self.key = key
    }

    public var description: String { "\(keySpace.rawValue)/\(key)" }

    public static func < (left: Self, right: Self) -> Bool { (left.keySpace, left.key) < (right.keySpace, right.key) }

    // The keys of the common space, in the words of `AVMetadataKey.commonKey…`.

    /// The title.
    public static let commonTitle = MetadataIdentifier(.common, "title")
    /// Who made it.
    public static let commonCreator = MetadataIdentifier(.common, "creator")
    /// What it is about, in a word.
    public static let commonSubject = MetadataIdentifier(.common, "subject")
    /// What it is about, in sentences.
    public static let commonDescription = MetadataIdentifier(.common, "description")
    /// Who brought it out.
    public static let commonPublisher = MetadataIdentifier(.common, "publisher")
    /// Who had a part in it.
    public static let commonContributor = MetadataIdentifier(.common, "contributor")
    /// When it was made.
    public static let commonCreationDate = MetadataIdentifier(.common, "creationDate")
    /// When it was changed.
    public static let commonLastModifiedDate = MetadataIdentifier(.common, "lastModifiedDate")
    /// Its language.
    public static let commonLanguage = MetadataIdentifier(.common, "language")
    /// Its genre.
    public static let commonType = MetadataIdentifier(.common, "type")
    /// Where it was taken.
    public static let commonLocation = MetadataIdentifier(.common, "location")
    /// Whose it is.
    public static let commonCopyrights = MetadataIdentifier(.common, "copyrights")
    /// The album or the series.
    public static let commonAlbumName = MetadataIdentifier(.common, "albumName")
    /// Who wrote it.
    public static let commonAuthor = MetadataIdentifier(.common, "author")
    /// Who performs it.
    public static let commonArtist = MetadataIdentifier(.common, "artist")
    /// A picture for it.
    public static let commonArtwork = MetadataIdentifier(.common, "artwork")
    /// Who made the camera.
    public static let commonMake = MetadataIdentifier(.common, "make")
    /// Which camera.
    public static let commonModel = MetadataIdentifier(.common, "model")
    /// What program wrote it.
    public static let commonSoftware = MetadataIdentifier(.common, "software")

    /// The genre for the information panel.
    public static let quickTimeMetadataGenre = MetadataIdentifier(.quickTimeMetadata, "com.apple.quicktime.genre")
    /// The rating for the information panel.
    public static let iTunesMetadataContentRating = MetadataIdentifier(.iTunes, "com.apple.iTunes/iTunEXTC")
}
