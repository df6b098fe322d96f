import URLReferences

/// What the name of a file says about its content, where nothing better does.
package enum MediaNames {
    private static let video: Set<String> = [
        "m3u8", "mp4", "m4v", "mov", "mkv", "webm", "ts", "m2ts", "mpg", "mpeg", "avi", "wmv", "flv", "ogv", "3gp", "vob",
    ]
    private static let sound: Set<String> = ["mp3", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav", "wma"]

    private static let pictures: Set<String> = ["jpg", "jpeg", "png", "webp", "avif"]

    /// The last part of the path of an address; all of the address where it has none.
    static func name(of address: String) -> String { lastPart(of: address) ?? address }

    private static func lastPart(of address: String) -> String? {
        URLReference(address).path.split(separator: "/").last.map(String.init)
    }

    /// The extension of the path of an address, in lower case.
    static func suffix(of address: String) -> String {
        let name = lastPart(of: address) ?? ""
        return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    /// Whether it is that of a film, of sound or of an HLS playlist.
    package static func isMedia(_ address: String) -> Bool { isVideo(address) || isSound(address) }
    /// The same, or that of a list of addresses.
    static func isMediaOrList(_ address: String) -> Bool { isMedia(address) || suffix(of: address) == "m3u" }
    static func isVideo(_ address: String) -> Bool { video.contains(suffix(of: address)) }
    static func isPicture(_ address: String) -> Bool { pictures.contains(suffix(of: address)) }
    package static func isSound(_ address: String) -> Bool { sound.contains(suffix(of: address)) }
    package static func isHLS(_ address: String) -> Bool { suffix(of: address) == "m3u8" }

    /// Whether an address is of a file with an end rather than of a live stream.
    package static func isFile(_ address: String) -> Bool { isMedia(address) && !["m3u8", "ts"].contains(suffix(of: address)) }
}
