import Glibc

/// Listings of folders. Hidden entries are left out. Any thread; blocks on the disk.
package enum Folder {
    /// The names in a folder, sorted; none when it cannot be read.
    package static func names(_ path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.first != "." { names.append(name) }
        }
        return names.sorted()
    }

    /// The files of a folder and of its subfolders, relative to it, sorted. Links to folders are followed.
    package static func files(below path: String) -> [String] {
        names(path).flatMap { name in
            isFolder("\(path)/\(name)") ? files(below: "\(path)/\(name)").map { "\(name)/\($0)" } : [name]
        }.sorted()
    }

    /// Makes a folder, and those above it. What is there already stays.
    package static func make(_ path: String) {
        if let slash = path.dropFirst().lastIndex(of: "/"), !isFolder(String(path[..<slash])) { make(String(path[..<slash])) }
        mkdir(path, 0o755)
    }

    /// Removes a file, or a folder with its contents. What cannot be removed stays.
    package static func remove(_ path: String) {
        guard unlink(path) != 0, let stream = opendir(path) else { return }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { remove("\(path)/\(name)") }
        }
        closedir(stream)
        rmdir(path)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
