/// The key space of a metadata key: each format has its own keys, and the common space maps the ones they share. The raw values
/// are those of `AVMetadataKeySpace`, if it has one.
package struct MetadataKeySpace: RawRepresentable, Sendable, Hashable, Comparable {
    /// The name, e.g. `org.id3`.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The keys that several formats share: title, artist, artwork …
    package static let common = MetadataKeySpace(rawValue: "comn")
    /// Frames of ID3v2, by their four (2.2: three) letters.
    package static let id3 = MetadataKeySpace(rawValue: "org.id3")
    /// Boxes of QuickTime user data (`udta`), by their four characters.
    package static let quickTimeUserData = MetadataKeySpace(rawValue: "udta")
    /// QuickTime metadata (`mdta`), by reverse domain names, e.g. `com.apple.quicktime.title`.
    package static let quickTimeMetadata = MetadataKeySpace(rawValue: "mdta")
    /// The item list of iTunes (`ilst`), by four characters; `----` atoms by `mean/name`.
    package static let iTunes = MetadataKeySpace(rawValue: "itsk")
    /// Boxes of ISO and 3GPP user data, by their four characters.
    package static let isoUserData = MetadataKeySpace(rawValue: "uiso")
    /// Tags of Matroska and WebM, by name, e.g. `TITLE`; those of a level above the file as `TARGET/NAME`.
    package static let matroska = MetadataKeySpace(rawValue: "org.matroska")
    /// Comments of Vorbis, Opus and FLAC, by name in capitals.
    package static let vorbisComment = MetadataKeySpace(rawValue: "org.xiph.vorbis-comment")
    /// Items of APEv2 tags, by their names in capitals.
    package static let ape = MetadataKeySpace(rawValue: "org.apetag")
    /// Attributes of ASF files (WMA, WMV), by their names, e.g. `WM/AlbumTitle`.
    package static let asf = MetadataKeySpace(rawValue: "com.microsoft.asf")
    /// Text chunks of WAV (`LIST INFO`) and AIFF files, by their four characters.
    package static let chunk = MetadataKeySpace(rawValue: "org.riff.info")
    /// What a radio station (SHOUTcast, Icecast) says of its programme, by name.
    package static let icy = MetadataKeySpace(rawValue: "icy")
    /// Attributes of EXT-X-DATERANGE.
    package static let hlsDateRange = MetadataKeySpace(rawValue: "lsdr")
    /// EXT-X-SESSION-DATA, by DATA-ID.
    package static let hlsSessionData = MetadataKeySpace(rawValue: "hlssd")

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One key in one key space; written `space/key` as AVFoundation writes identifiers.
package struct MetadataIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var keySpace: MetadataKeySpace
    /// The key in the format's own terms.
    package var key: String

    package init(_ keySpace: MetadataKeySpace, _ key: String) {
        self.keySpace = keySpace
        self.key = key
    }

    package var description: String { "\(keySpace.rawValue)/\(key)" }

    package static func < (left: Self, right: Self) -> Bool { (left.keySpace, left.key) < (right.keySpace, right.key) }

    // The keys of the common space, named as `AVMetadataKey.commonKey…`.

    package static let commonTitle = MetadataIdentifier(.common, "title")
    /// Who made it.
    package static let commonCreator = MetadataIdentifier(.common, "creator")
    /// The topic in a word.
    package static let commonSubject = MetadataIdentifier(.common, "subject")
    /// The topic in sentences.
    package static let commonDescription = MetadataIdentifier(.common, "description")
    package static let commonPublisher = MetadataIdentifier(.common, "publisher")
    /// A contributor.
    package static let commonContributor = MetadataIdentifier(.common, "contributor")
    package static let commonCreationDate = MetadataIdentifier(.common, "creationDate")
    package static let commonLanguage = MetadataIdentifier(.common, "language")
    /// Its genre.
    package static let commonType = MetadataIdentifier(.common, "type")
    /// Where it was recorded.
    package static let commonLocation = MetadataIdentifier(.common, "location")
    package static let commonCopyrights = MetadataIdentifier(.common, "copyrights")
    /// The album or the series.
    package static let commonAlbumName = MetadataIdentifier(.common, "albumName")
    /// The writer.
    package static let commonAuthor = MetadataIdentifier(.common, "author")
    /// The performer.
    package static let commonArtist = MetadataIdentifier(.common, "artist")
    package static let commonArtwork = MetadataIdentifier(.common, "artwork")
    /// The maker of the camera.
    package static let commonMake = MetadataIdentifier(.common, "make")
    /// The model of the camera.
    package static let commonModel = MetadataIdentifier(.common, "model")
    /// The program that wrote the file.
    package static let commonSoftware = MetadataIdentifier(.common, "software")

    /// The title that a radio station names.
    package static let icyMetadataStreamTitle = MetadataIdentifier(.icy, "StreamTitle")

    /// The rating for the information panel.
    package static let iTunesMetadataContentRating = MetadataIdentifier(.iTunes, "com.apple.iTunes/iTunEXTC")
}
