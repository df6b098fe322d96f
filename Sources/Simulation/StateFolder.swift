import LinuxSupport

/// The folder of a box's disk, and what a power cut makes of it.
struct StateFolder {
    let path: String

    /// The contents of the folder by relative path.
    struct Contents {
        fileprivate var files: [(name: String, bytes: [UInt8])]
    }

    /// What has been written until now. No thread of the box may be writing.
    func contents() -> Contents {
        Contents(files: Folder.files(below: path).map { ($0, WholeFile.read("\(path)/\($0)") ?? []) })
    }

    /// Makes the folder what a power cut at the instant of `contents` may leave: files that were not synchronised may be empty or end in the middle, a file
    /// that was being replaced has an incomplete draft beside it, and the database's log ends with bytes of a change that was not committed.
    func cutPower(_ contents: Contents, _ dice: inout Dice) {
        for name in Folder.names(path) { Folder.remove("\(path)/\(name)") }
        for file in contents.files {
            var bytes = file.bytes
            if Self.isUnsynchronised(file.name), dice.happens(0.3) {
                bytes = Array(bytes.prefix(dice.number(in: 0...bytes.count)))
            }
            if file.name.hasSuffix("-wal"), dice.happens(0.3) { bytes += (0..<dice.number(in: 1...5000)).map { UInt8($0 % 251) } }
            write(bytes, to: file.name)
            if file.name.hasPrefix("feed/"), dice.happens(0.3) {
                write(Array(bytes.prefix(dice.number(in: 0...bytes.count))), to: file.name + ".new")
            }
        }
    }

    /// Logs of playbacks are written without waiting for the disk.
    private static func isUnsynchronised(_ name: String) -> Bool { name.hasPrefix("sessions/") }

    private func write(_ bytes: [UInt8], to name: String) {
        let full = "\(path)/\(name)"
        if let slash = full.lastIndex(of: "/") { Folder.make(String(full[..<slash])) }
        WholeFile.write(bytes, to: full, isSynced: false)
    }
}
