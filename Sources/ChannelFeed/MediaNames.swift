import URLReferences

/// What the name of a file says about its content, where nothing better does.
enum MediaNames {
    private static let video: Set<String> = [
        "m3u8", "mp4", "m4v", "mov", "mkv", "webm", "ts", "m2ts", "mpg", "mpeg", "avi", "wmv", "flv", "ogv", "3gp", "vob",
    ]
    private static let sound: Set<String> = ["mp3", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav", "wma"]

    /// The extension of the path of an address, in lower case.
    static func suffix(of address: String) -> String {
        let name = URLReference(address).path.split(separator: "/").last ?? ""
        return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    static func isMedia(_ address: String) -> Bool { isVideo(address) || isSound(address) }
    static func isVideo(_ address: String) -> Bool { video.contains(suffix(of: address)) }
    static func isSound(_ address: String) -> Bool { sound.contains(suffix(of: address)) }
    static func isHLS(_ address: String) -> Bool { suffix(of: address) == "m3u8" }

    /// Whether an address is of a file with an end rather than of a live stream.
    static func isFile(_ address: String) -> Bool { isMedia(address) && !["m3u8", "ts"].contains(suffix(of: address)) }
}
