import Glibc
import LinuxSupport

/// A folder for one test, removed with its contents.
package final class ScratchFolder {
    package let path: String

    /// Makes an empty folder.
    ///
    /// - Parameter name: a part of its name, which identifies a folder that was left behind.
    package init(_ name: String) {
        var template = Array("/tmp/marquee-\(name)-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    deinit { Folder.remove(path) }

    /// Writes a file and creates its folders.
    package func put(_ text: String, _ name: String) {
        var place = path
        for part in name.split(separator: "/").dropLast() {
            place += "/" + part
            mkdir(place, 0o755)
        }
        guard let file = fopen("\(path)/\(name)", "wb") else { return }
        fputs(text, file)
        fclose(file)
    }

    /// The text of a file; nil when it cannot be read.
    package func get(_ name: String) -> String? { fileBytes("\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) } }
}
