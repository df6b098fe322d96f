import Glibc
import LinuxSupport
import Playback
import Synchronization
import WireFormats

/// What was played, on the disk. A play that has ended is a record with its number (`RecordFolder`); those that play are in a file that is replaced as a
/// whole. A play that a power cut ended is found there at the next start, and kept as it was last written: each is counted once. Any thread; every call
/// blocks on the disk.
package final class PlayFile: Sendable {
    /// A receiver that is told of every play once.
    package enum Receiver: String, Sendable, CaseIterable {
        case report
        case broker
    }

    private struct State {
        /// The run of the player, in the keys of its plays.
        var run: UInt64 = 0
        /// Plays that have ended and could not be written.
        var unwritten: [StoredPlay] = []
        /// Signs what is told, once it was needed.
        var signer: PlaySigner?
    }

    private let folder: String
    private let ended: RecordFolder
    /// The last play that any receiver has.
    private let mostTold: UInt64
    private let state = Mutex(State())
    private let signing: PlaySignerFile

    /// 16 MiB, which are 40,000 plays and more.
    package static let standardLimits = RecordFolder.Limits()
    private static let longestOpen = 1 << 20
    private static let mostUnwritten = 500

    /// - Parameter stateFolder: of the box.
    package init(in stateFolder: String, limits: RecordFolder.Limits = PlayFile.standardLimits) {
        let folder = stateFolder + "/plays"
        self.folder = folder
        signing = PlaySignerFile(in: folder)
        let told = Receiver.allCases.compactMap { Self.told($0, in: folder) }.max() ?? 0
        mostTold = told
        // A card that has lost the last records may not make others of the same numbers: a receiver would take them for those that it has.
        ended = RecordFolder(folder + "/ended", limits: limits, behind: told)
    }

    // MARK: Writing

    /// The player was started: what played when it ended last is kept now. Called once, before the other functions that write.
    ///
    /// - Returns: false if that could not be written.
    func begin() -> Bool {
        let last = ended.lastRecords()
        let known = Set(last.compactMap { StoredPlay(json: $0.text, number: nil)?.key })
        let open = (WholeFile.read(openPath, most: Self.longestOpen).map { String(decoding: $0, as: UTF8.self) } ?? "")
            .split(separator: "\n").compactMap { StoredPlay(json: String($0), number: nil) }
        let cut = open.filter { !known.contains($0.key) }.map { play in
            var play = play
            play.end = play.end ?? .interrupted
            return play
        }
        return state.withLock { state in
            state.unwritten = cut
            // Each run that has a play keeps a record of it, so that no two have the same number.
            state.run = max(last.last?.number ?? 0, mostTold) + UInt64(cut.count) + 1
            return open.isEmpty || writeAll([], &state)
        }
    }

    /// What plays now, each as far as it is.
    func update(_ playing: [Play]) -> Bool { state.withLock { writeAll(playing, &$0) } }

    /// A play has ended.
    func keep(_ play: Play, playing: [Play]) -> Bool {
        state.withLock { state in
            if state.unwritten.count < Self.mostUnwritten { state.unwritten.append(StoredPlay(play, run: state.run)) }
            return writeAll(playing, &state)
        }
    }

    /// What has ended is written first: after a power cut in between, its key tells that it is no longer played.
    private func writeAll(_ playing: [Play], _ state: inout State) -> Bool {
        if !state.unwritten.isEmpty, ended.append(state.unwritten.map(\.json.text)) != nil { state.unwritten = [] }
        let open = state.unwritten + playing.map { StoredPlay($0, run: state.run) }
        Folder.make(folder)
        let isWritten = WholeFile.write(Array(open.map { $0.json.text + "\n" }.joined().utf8), to: openPath, mode: 0o600)
        return isWritten && state.unwritten.isEmpty
    }

    private var openPath: String { folder + "/playing" }

    // MARK: Reading

    /// The plays behind a number, oldest first.
    ///
    /// - Parameter now: how long the player runs, and the date in nanoseconds since the start of 1970: what it has played before it knew the date has one
    ///   then.
    package func page(after number: UInt64, most: Int, now: (uptime: Duration, date: Int64)? = nil) -> PlayPage {
        let records = ended.records(from: number == .max ? .max : number + 1, most: most + 1)
        let plays = records.compactMap { StoredPlay(json: $0.text, number: $0.number) }
        let hasMore = records.count > most
        let dated = hasMore ? Self.dated(plays, nil) : Self.dated(plays, now.map { ($0.uptime, $0.date, run) })
        return PlayPage(
            plays: Array(dated.prefix(most)), first: ended.records(most: 1).first?.number, hasMore: hasMore, signer: signer)
    }

    private static func dated(_ plays: [StoredPlay], _ now: (uptime: Duration, date: Int64, run: UInt64)?) -> [StoredPlay] {
        var plays = plays
        // As if a play of this run ended now.
        if let now, var mark = plays.last {
            (mark.updated, mark.updatedDate, mark.key) = (now.uptime, now.date, "\(now.run)-now")
            plays.append(mark)
        }
        let count = plays.count - (now == nil || plays.isEmpty ? 0 : 1)
        ReportedTimes.complete(&plays, date: \.updatedDate, uptime: \.updated) { $0.run == $1.run }
        return Array(plays.prefix(count))
    }

    private var run: UInt64 { state.withLock { $0.run } }

    // MARK: Signatures

    /// From now on the box signs the plays that it tells, under this name; nil if it does not.
    ///
    /// - Returns: false with errno set if there is no key, and one could not be kept.
    func sign(as name: String?) -> Bool {
        signing.name = name
        return name == nil || signer != nil
    }

    /// Signs the plays that are told; nil if they are not signed.
    package var signer: PlaySigner? {
        guard let name = signing.name, !name.isEmpty else { return nil }
        return state.withLock { state in
            if state.signer?.box != name { state.signer = signing.key().map { PlaySigner(box: name, key: $0) } }
            return state.signer
        }
    }

    // MARK: Receivers

    /// The last play that a receiver has; 0 at first.
    func told(_ receiver: Receiver) -> UInt64 { Self.told(receiver, in: folder) ?? 0 }

    /// A receiver has all plays up to a number.
    func setTold(_ number: UInt64, _ receiver: Receiver) -> Bool {
        Folder.make(folder)
        return WholeFile.write(Array("\(number)\n".utf8), to: Self.toldPath(receiver, in: folder), mode: 0o600)
    }

    private static func told(_ receiver: Receiver, in folder: String) -> UInt64? {
        WholeFile.read(toldPath(receiver, in: folder), most: 64).flatMap {
            UInt64(String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self))
        }
    }

    private static func toldPath(_ receiver: Receiver, in folder: String) -> String { "\(folder)/told-\(receiver.rawValue)" }
}
