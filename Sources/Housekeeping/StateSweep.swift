import Glibc
import LinuxSupport

/// Moves away what stands in the place of the box's own files and is none: a pipe, a socket or a device anywhere, a folder where a file belongs.
///
/// Opening a pipe waits for its other end, and nothing can be written over a folder: without this one of them would keep the box from starting, or a file
/// from ever being written. Blocks on the disk; called once, before anything is read.
package enum StateSweep {
    private static let suffix = ".no-file"
    /// More entries than a box with all its saved programmes has.
    private static let mostEntries = 1 << 18
    private static let deepest = 8
    /// Files in the folder itself.
    private static let files: Set<String> = [
        "library.sqlite", "library.sqlite-wal", "library.sqlite-shm", "library.sqlite.copy", "disk-revision", "verdict",
        "session", "boot",
        "adopted.json", "adopted.toml", "authorities.pem", "settings.json", "settings.json.copy",
    ]

    /// - Returns: a sentence for each that was in the way.
    package static func clear(_ folder: String) -> [String] {
        var left = mostEntries
        var sentences: [String] = []
        clear(folder, depth: 0, holdsFilesOnly: false, &left, &sentences)
        return sentences
    }

    private static func clear(_ folder: String, depth: Int, holdsFilesOnly: Bool, _ left: inout Int, _ sentences: inout [String])
    {
        for name in Folder.names(folder) where !name.contains(suffix) {
            left -= 1
            guard left > 0 else { return }
            let path = "\(folder)/\(name)"
            var status = stat()
            // A link counts as what it leads to; one that leads nowhere is replaced when the file is written.
            guard stat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR where holdsFilesOnly || name.hasSuffix(".new") || (depth == 0 && files.contains(name)):
                sentences.append(moveAway(path, "a folder"))
            case S_IFDIR:
                guard depth < deepest else { break }
                let isOfDocument = depth == 0 && (name == "feed" || name.hasPrefix("guide-"))
                clear(path, depth: depth + 1, holdsFilesOnly: isOfDocument, &left, &sentences)
            default: sentences.append(moveAway(path, "a pipe, a socket or a device"))
            }
        }
    }

    private static func moveAway(_ path: String, _ kind: String) -> String {
        for number in 1...9 {
            let place = path + suffix + (number == 1 ? "" : "-\(number)")
            var status = stat()
            guard lstat(place, &status) != 0 else { continue }
            guard rename(path, place) == 0 else {
                return "state: \(path) is \(kind) and could not be moved away: \(String(cString: strerror(errno)))"
            }
            return "state: \(path) was \(kind) in the place of a file; it is now \(place)"
        }
        return "state: \(path) is \(kind), and there are nine like it already; remove them"
    }
}
