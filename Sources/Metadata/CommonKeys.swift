/// Maps the formats' keys to the common key space.
enum CommonKeys {
    static func identifier(for identifier: MetadataIdentifier, info: String?) -> MetadataIdentifier? {
        switch identifier.keySpace {
        case .common: return identifier
        case .id3:
            // A comment for a program's own use (gapless data, ratings) is not a description.
            if ["COMM", "COM"].contains(identifier.key), info?.isEmpty == false { return nil }
            return id3[identifier.key]
        case .iTunes: return iTunes[identifier.key]
        case .quickTimeUserData, .isoUserData: return userData[identifier.key]
        // Some programs write the names without Apple's prefix.
        case .quickTimeMetadata:
            return quickTimeMetadata[identifier.key] ?? quickTimeMetadata["com.apple.quicktime." + identifier.key]
        case .matroska: return matroska[identifier.key]
        case .vorbisComment: return vorbisComment[identifier.key]
        case .ape: return ape[identifier.key]
        case .asf: return asf[identifier.key]
        case .chunk: return chunk[identifier.key]
        // Providers define their own attributes, `X-TITLE` or `X-COM-EXAMPLE-TITLE`: the last word decides.
        case .hlsDateRange:
            return identifier.key.split(separator: "-").last.flatMap { dateRange[String($0)] }
        default: return nil
        }
    }

    /// Common keys with personal data: where, by whom, whose.
    static let personal: Set<MetadataIdentifier> = [.commonLocation, .commonAuthor, .commonMake, .commonModel]
    /// Parts of formats' own keys with such data.
    static let personalParts = [
        "location", "gps", "owner", "purchas", "apid", "ownr", "\u{A9}xyz", "loci", "priv", "ufid", "town", "account", "email",
        "serial",
    ]

    /// Whether a key of a description is one for remarks: programs put their own into it.
    static func isRemark(_ identifier: MetadataIdentifier) -> Bool {
        let key = identifier.key.lowercased()
        return key.hasSuffix("comment") || ["\u{A9}cmt", "comm", "com", "icmt", "anno"].contains(key)
    }

    private static let dateRange: [String: MetadataIdentifier] = [
        "TITLE": .commonTitle, "ARTIST": .commonArtist, "ALBUM": .commonAlbumName, "DESCRIPTION": .commonDescription,
        "GENRE": .commonType, "ARTWORK": .commonArtwork,
    ]
    private static let id3: [String: MetadataIdentifier] = [
        "TIT2": .commonTitle, "TT2": .commonTitle, "TPE1": .commonArtist, "TP1": .commonArtist, "TALB": .commonAlbumName,
        "TAL": .commonAlbumName, "TCOM": .commonCreator, "TCM": .commonCreator, "TEXT": .commonAuthor, "TXT": .commonAuthor,
        "TCON": .commonType, "TCO": .commonType, "TPUB": .commonPublisher, "TPB": .commonPublisher, "TCOP": .commonCopyrights,
        "TCR": .commonCopyrights, "TLAN": .commonLanguage, "TLA": .commonLanguage, "TDRC": .commonCreationDate,
        "TYER": .commonCreationDate, "TYE": .commonCreationDate, "COMM": .commonDescription, "COM": .commonDescription,
        "APIC": .commonArtwork, "PIC": .commonArtwork, "TSSE": .commonSoftware, "TSS": .commonSoftware,
        "TPE2": .commonContributor,
        "TP2": .commonContributor, "TIT1": .commonSubject, "TT1": .commonSubject,
    ]
    private static let iTunes: [String: MetadataIdentifier] = [
        "\u{A9}nam": .commonTitle, "\u{A9}ART": .commonArtist, "\u{A9}alb": .commonAlbumName, "\u{A9}wrt": .commonCreator,
        "\u{A9}gen": .commonType, "gnre": .commonType, "\u{A9}day": .commonCreationDate, "\u{A9}cmt": .commonDescription,
        "desc": .commonDescription, "ldes": .commonDescription, "covr": .commonArtwork, "cprt": .commonCopyrights,
        "\u{A9}too": .commonSoftware, "aART": .commonContributor, "\u{A9}pub": .commonPublisher,
    ]
    private static let userData: [String: MetadataIdentifier] = [
        "\u{A9}nam": .commonTitle, "titl": .commonTitle, "\u{A9}ART": .commonArtist, "perf": .commonArtist,
        "\u{A9}alb": .commonAlbumName,
        "albm": .commonAlbumName, "\u{A9}aut": .commonAuthor, "auth": .commonAuthor, "\u{A9}gen": .commonType,
        "gnre": .commonType,
        "\u{A9}day": .commonCreationDate, "yrrc": .commonCreationDate, "\u{A9}des": .commonDescription,
        "dscp": .commonDescription,
        "\u{A9}inf": .commonDescription, "\u{A9}cmt": .commonDescription, "\u{A9}cpy": .commonCopyrights,
        "cprt": .commonCopyrights,
        "\u{A9}xyz": .commonLocation, "loci": .commonLocation, "\u{A9}mak": .commonMake, "\u{A9}mod": .commonModel,
        "\u{A9}swr": .commonSoftware, "\u{A9}pub": .commonPublisher, "\u{A9}wrt": .commonCreator, "thmb": .commonArtwork,
    ]
    private static let quickTimeMetadata: [String: MetadataIdentifier] = {
        let names: [(String, MetadataIdentifier)] = [
            ("title", .commonTitle), ("displayname", .commonTitle), ("artist", .commonArtist), ("album", .commonAlbumName),
            ("author", .commonAuthor), ("creator", .commonCreator), ("director", .commonContributor), ("genre", .commonType),
            ("creationdate", .commonCreationDate), ("year", .commonCreationDate), ("description", .commonDescription),
            ("information", .commonDescription), ("comment", .commonDescription), ("copyright", .commonCopyrights),
            ("publisher", .commonPublisher), ("artwork", .commonArtwork), ("location.ISO6709", .commonLocation),
            ("make", .commonMake), ("model", .commonModel), ("software", .commonSoftware), ("keywords", .commonSubject),
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ("com.apple.quicktime." + $0.0, $0.1) })
    }()
    private static let matroska: [String: MetadataIdentifier] = [
        "TITLE": .commonTitle, "ARTIST": .commonArtist, "ALBUM/TITLE": .commonAlbumName, "ALBUM": .commonAlbumName,
        "COMPOSER": .commonCreator, "WRITTEN_BY": .commonAuthor, "AUTHOR": .commonAuthor, "GENRE": .commonType,
        "SUBJECT": .commonSubject,
        "DATE_RELEASED": .commonCreationDate, "DATE_RECORDED": .commonCreationDate, "DATE": .commonCreationDate,
        "DESCRIPTION": .commonDescription, "SUMMARY": .commonDescription, "SYNOPSIS": .commonDescription,
        "COMMENT": .commonDescription,
        "COPYRIGHT": .commonCopyrights, "PUBLISHER": .commonPublisher, "ENCODER": .commonSoftware,
        "RECORDING_LOCATION": .commonLocation,
        "COVER": .commonArtwork, "LEAD_PERFORMER": .commonArtist, "COLLECTION/TITLE": .commonAlbumName,
    ]
    private static let vorbisComment: [String: MetadataIdentifier] = [
        "TITLE": .commonTitle, "ARTIST": .commonArtist, "ALBUM": .commonAlbumName, "COMPOSER": .commonCreator,
        "AUTHOR": .commonAuthor,
        "GENRE": .commonType, "DATE": .commonCreationDate, "DESCRIPTION": .commonDescription, "COMMENT": .commonDescription,
        "COPYRIGHT": .commonCopyrights, "ORGANIZATION": .commonPublisher, "PUBLISHER": .commonPublisher,
        "LOCATION": .commonLocation,
        "PERFORMER": .commonContributor, "ALBUMARTIST": .commonContributor, "ENCODER": .commonSoftware,
        "LANGUAGE": .commonLanguage,
        "METADATA_BLOCK_PICTURE": .commonArtwork, "COVERART": .commonArtwork,
    ]
    private static let ape: [String: MetadataIdentifier] = [
        "TITLE": .commonTitle, "ARTIST": .commonArtist, "ALBUM": .commonAlbumName, "COMPOSER": .commonCreator,
        "GENRE": .commonType,
        "YEAR": .commonCreationDate, "COMMENT": .commonDescription, "ABSTRACT": .commonDescription,
        "COPYRIGHT": .commonCopyrights,
        "PUBLISHER": .commonPublisher, "ALBUM ARTIST": .commonContributor, "LANGUAGE": .commonLanguage,
        "COVER ART (FRONT)": .commonArtwork,
    ]
    private static let asf: [String: MetadataIdentifier] = [
        "Title": .commonTitle, "Author": .commonArtist, "Copyright": .commonCopyrights, "Description": .commonDescription,
        "WM/AlbumTitle": .commonAlbumName, "WM/AlbumArtist": .commonContributor, "WM/Composer": .commonCreator,
        "WM/Writer": .commonAuthor,
        "WM/Genre": .commonType, "WM/Year": .commonCreationDate, "WM/Publisher": .commonPublisher,
        "WM/EncodedBy": .commonSoftware,
        "WM/EncodingSettings": .commonSoftware, "WM/Language": .commonLanguage, "WM/SubTitleDescription": .commonDescription,
        "WM/Picture": .commonArtwork,
    ]
    private static let chunk: [String: MetadataIdentifier] = [
        "INAM": .commonTitle, "IART": .commonArtist, "IPRD": .commonAlbumName, "ICMT": .commonDescription,
        "ICRD": .commonCreationDate,
        "IGNR": .commonType, "ICOP": .commonCopyrights, "ISFT": .commonSoftware, "ISBJ": .commonSubject, "ILNG": .commonLanguage,
        "NAME": .commonTitle, "AUTH": .commonArtist, "(c) ": .commonCopyrights, "ANNO": .commonDescription,
    ]
}
