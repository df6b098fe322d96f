import Glibc

/// The files of a folder.
enum FolderContents {
    /// The files of a folder and of its subfolders, relative to it, sorted by name.
    static func files(below folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [(name: String, isFolder: Bool)] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            var status = stat()
            let isFolder = stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            names.append((name, isFolder))
        }
        return names.sorted { $0.name < $1.name }.flatMap { entry in
            entry.isFolder ? files(below: "\(folder)/\(entry.name)").map { "\(entry.name)/\($0)" } : [entry.name]
        }
    }
}
