import Glibc
import TextDecoding

/// Names of files that are not UTF-8: disks of other systems have them. As text they are decoded like every text from outside, and found again by that.
package enum FileNames {
    /// At most so many names of a folder are compared.
    private static let most = 10_000

    /// A path as a person reads it: one that came as damaged text, since its name is not UTF-8, in the encoding that its file has on the disk. Any other
    /// path is returned as it is. Reads the disk.
    package static func readable(_ path: String) -> String {
        guard path.contains("\u{FFFD}"), let (folder, name) = entry(of: path) else { return path }
        return folder + LegacyText(sample: name).text(name)
    }

    /// The bytes of the path of an existing file whose text this is, if its name is not UTF-8; nil without one.
    static func bytes(of path: String) -> [UInt8]? { entry(of: path).map { Array($0.folder.utf8) + $0.name } }

    private static func entry(of path: String) -> (folder: String, name: [UInt8])? {
        let wanted = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
        let folder = String(path.dropLast(wanted.count))
        guard !wanted.utf8.allSatisfy({ $0 < 0x80 }), let stream = opendir(folder.isEmpty ? "." : folder) else { return nil }
        defer { closedir(stream) }
        for _ in 0..<most {
            guard let entry = readdir(stream) else { return nil }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard String(validating: name, as: UTF8.self) == nil else { continue }
            if String(decoding: name, as: UTF8.self) == wanted || LegacyText(sample: name).text(name) == wanted {
                return (folder, name)
            }
        }
        return nil
    }
}
