import LinuxSupport

/// The folder of a box's disk, and what a power cut makes of it.
struct SimulatedDisk {
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

    /// Damages up to three files as a worn memory card does: a block becomes zeros or is exchanged for another's bytes, or a file is empty or gone.
    func damage(_ dice: inout Dice) {
        for _ in 0..<dice.number(in: 1...3) {
            let names = Folder.files(below: path).sorted()
            guard !names.isEmpty else { return }
            let name = dice.one(of: names)
            let full = "\(path)/\(name)"
            guard var bytes = WholeFile.read(full), !dice.happens(0.1) else {
                Folder.remove(full)
                continue
            }
            if dice.happens(0.15) { bytes = [] }
            if !bytes.isEmpty {
                let start = dice.number(in: 0...(bytes.count - 1) / Self.block) * Self.block
                let end = min(start + Self.block, bytes.count)
                let isZero = dice.happens(0.5)
                for place in start..<end { bytes[place] = isZero ? 0 : UInt8(dice.number(in: 0...255)) }
            }
            write(bytes, to: name)
        }
    }

    /// The bytes that a memory card loses together.
    private static let block = 4096

    /// Logs are written without waiting for the disk.
    private static func isUnsynchronised(_ name: String) -> Bool { name.hasPrefix("sessions/") || name.hasPrefix("log/") }

    private func write(_ bytes: [UInt8], to name: String) {
        let full = "\(path)/\(name)"
        if let slash = full.lastIndex(of: "/") { Folder.make(String(full[..<slash])) }
        WholeFile.write(bytes, to: full, isSynced: false)
    }
}
