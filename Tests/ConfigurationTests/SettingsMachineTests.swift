import CAllocationCounter
import Testing

@testable import Configuration

/// A box with settings from afar: its disk, its system, its player, and everything that can happen to them.
private struct TriedBox: Hashable {
    enum Move: Hashable {
        case write, failToWrite, cutBeforeWrite, cutAfterWrite
        case restart, crash, cut
        /// The player, or the machine, ends in order and starts again.
        case end, endMachine
        /// The same, with a disk that refuses to count the start.
        case crashUncounted, cutUncounted
        case fire(SettingsMachine.Timer)
        case reach(SettingsProof)
        case look(SettingsHindrance?)
        case take
    }

    static let needed: Set<SettingsProof> = [.network, .feed, .broker]
    static let pinned = SettingsKeys(working: ["s1:A"])

    var disk: SettingsRecord
    var machine: SettingsMachine
    /// The revision with which the player was started, and the one with which the system of this start of the machine runs.
    var player: Int?
    var system: Int?
    var boot = 1
    /// Whether a start was not counted in this start of the machine.
    var isSystemOld = false
    var write: SettingsRecord?
    var restart: SettingsRecord.Way?
    var timers: Set<SettingsMachine.Timer> = []
    var taken = 1
    var faults: Int
    /// Orderly ends of the machine; each start of it has a number of its own.
    var ends = 1
    let way: SettingsRecord.Way
    /// What can be reached with later settings than the first.
    let reachable: Set<SettingsProof>

    init(way: SettingsRecord.Way, reachable: Set<SettingsProof>, faults: Int) {
        (self.way, self.reachable, self.faults) = (way, reachable, faults)
        let empty = SettingsRecord(pinned: Self.pinned)
        disk = empty.taking(Self.document(1), text: Self.text(1), isOfSpare: false, way: nil, boot: nil)
        machine = SettingsMachine(disk, boot: "1", needed: Self.needed, length: .seconds(900))
        (player, system) = (1, 1)
    }

    static func text(_ revision: Int) -> String {
        #"{"settingsVersion":1,"revision":\#(revision),"settings":{"sound":{"max_volume":\#(revision)}}}"#
    }
    static func document(_ revision: Int) -> SettingsDocument { try! SettingsDocument(Array(text(revision).utf8)) }

    /// What can happen now.
    func moves(documents: Int) -> [Move] {
        var moves: [Move] = []
        if write != nil { moves.append(.write) }
        if restart != nil { moves.append(.restart) }
        moves += [SettingsMachine.Timer.trial, .retry].filter(timers.contains).map { .fire($0) }
        moves += SettingsProof.allCases.filter { machine.missing.contains($0) && works($0) }.map { .reach($0) }
        if machine.waiting != nil { moves += [.look(nil), .look(.watched)] }
        if taken < documents, machine.takesDocuments { moves.append(.take) }
        if faults > 0 {
            if write != nil { moves += [.failToWrite, .cutBeforeWrite, .cutAfterWrite] }
            moves += [.crash, .cut, .crashUncounted, .cutUncounted, .end] + (ends > 0 ? [.endMachine] : [])
        }
        return moves
    }

    private func works(_ proof: SettingsProof) -> Bool { player == 1 || reachable.contains(proof) }

    mutating func perform(_ move: Move) {
        switch move {
        case .write:
            disk = write!
            write = nil
            take(machine.handle(.stored))
        case .failToWrite:
            write = nil
            faults -= 1
            take(machine.handle(.notStored))
        case .cutBeforeWrite, .cut: cut()
        case .cutUncounted: cut(counts: false)
        case .cutAfterWrite:
            disk = write!
            cut()
        case .restart:
            if restart == .restartMachine { boot += 1 }
            startPlayer(isNewBoot: restart == .restartMachine)
        case .crash, .crashUncounted:
            faults -= 1
            startPlayer(isNewBoot: false, counts: move == .crash)
        case .end, .endMachine:
            disk = machine.ending(after: .seconds(60)) ?? disk
            if move == .endMachine { (boot, ends) = (boot + 1, ends - 1) }
            startPlayer(isNewBoot: move == .endMachine)
        case .fire(let timer):
            timers.remove(timer)
            take(machine.handle(.timerFired(timer)))
        case .reach(let proof): take(machine.handle(.reached(proof)))
        case .look(let hindrance): take(machine.handle(.looked(hindrance)))
        case .take:
            taken += 1
            take(
                machine.take(
                    machine.record.taking(
                        Self.document(taken), text: Self.text(taken), isOfSpare: false, way: way, boot: "\(boot)")))
        }
    }

    private mutating func cut(counts: Bool = true) {
        faults -= 1
        boot += 1
        startPlayer(isNewBoot: true, counts: counts)
    }

    private mutating func startPlayer(isNewBoot: Bool, counts: Bool = true) {
        (write, restart, timers) = (nil, nil, [])
        // The count is on the disk before anything uses the settings.
        if isNewBoot { isSystemOld = false }
        let counted = disk.counting(in: "\(boot)", isSystemOld: isSystemOld)
        if counts { disk = counted } else if counted != disk { isSystemOld = true }
        player = disk.revision
        if isNewBoot { system = disk.revision }
        machine = SettingsMachine(disk, boot: "\(boot)", needed: Self.needed, length: .seconds(900))
        take(machine.start())
    }

    private mutating func take(_ effects: [SettingsMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .store(let record): write = record
            case .restart(let way): restart = way
            case .arm(let timer, _): timers.insert(timer)
            case .cancel(let timer): timers.remove(timer)
            case .note, .keepFeed: break
            }
        }
    }

    /// What must be true always; nil if it is.
    var breach: String? {
        if disk.kept == nil { return "the settings that were kept are lost" }
        if reachable != Self.needed, disk.kept?.text != Self.text(1) { return "settings were kept that do not reach everything" }
        if way == .restartMachine, player != system, restart != .restartMachine, machine.record == disk, write == nil {
            return "player and system have different settings, and no restart will change that"
        }
        if disk.newest < 1 { return "an older document would be taken" }
        return nil
    }

    /// What comes of it when nothing goes wrong any more: the moves in the order of `moves`, of which each leads on.
    func calm() -> TriedBox {
        var box = self
        box.faults = 0
        for _ in 0..<60 {
            guard
                let move = box.moves(documents: 0).first(where: { $0 != .look(.watched) && $0 != .fire(.trial) })
                    ?? box.moves(documents: 0).first(where: { $0 == .fire(.trial) })
            else { return box }
            box.perform(move)
        }
        return box
    }
}

@Suite("The trial of settings from afar")
struct SettingsMachineTests {
    private static let ways = [SettingsRecord.Way.restartPlayer, .restartMachine]

    @Test("settings that reach everything are kept, after one restart", arguments: ways)
    func kept(way: SettingsRecord.Way) {
        var box = TriedBox(way: way, reachable: TriedBox.needed, faults: 0)
        for move in [TriedBox.Move.take, .write, .look(.watched)] { box.perform(move) }
        #expect(box.machine.waiting == 2 && box.machine.hindrance == .watched && box.player == 1)
        box.perform(.look(nil))
        #expect(box.restart == nil)
        box.perform(.failToWrite)
        #expect(box.machine.hindrance == .storage && box.restart == nil, "a restart that could not be counted is none")
        for move in [TriedBox.Move.look(nil), .write] { box.perform(move) }
        #expect(box.restart == way && box.disk.revision == 1)
        box.perform(.restart)
        #expect(box.player == 2 && box.machine.tried == 2 && box.timers == [.trial] && !box.machine.takesDocuments)
        #expect(box.system == (way == .restartMachine ? 2 : 1))
        for proof in [SettingsProof.broker, .network, .network] { box.perform(.reach(proof)) }
        #expect(box.machine.missing == [.feed] && box.write == nil)
        box.perform(.reach(.feed))
        #expect(box.timers == [] && box.disk.trial?.revision == 2)
        box.perform(.write)
        #expect(box.disk.kept?.text == TriedBox.text(2) && box.disk.trial == nil && box.disk.verdict?.isKept == true)
        #expect(box.restart == nil && box.machine.takesDocuments)
    }

    @Test("settings that do not are given up when the time is over, with the reason, and the old ones come back", arguments: ways)
    func givenUp(way: SettingsRecord.Way) {
        var box = TriedBox(way: way, reachable: [.network], faults: 0)
        for move in [TriedBox.Move.take, .write, .look(nil), .write, .restart, .reach(.network), .fire(.trial)] {
            box.perform(move)
        }
        box.perform(.failToWrite)
        #expect(box.timers == [.retry] && box.restart == nil, "nothing is restarted before the verdict is on the disk")
        for move in [TriedBox.Move.fire(.retry), .write] { box.perform(move) }
        #expect(box.restart == way && box.disk.kept?.text == TriedBox.text(1))
        #expect(box.disk.verdict?.words == "the feed and the broker were not reached" && box.disk.newest == 2)
        box.perform(.restart)
        #expect(box.player == 1 && box.system == 1 && box.machine.tried == nil && box.restart == nil)
    }

    @Test("power cuts and crashes use a trial up; each time it has its whole length")
    func usedUp() {
        var box = TriedBox(way: .restartMachine, reachable: TriedBox.needed, faults: 9)
        for move in [TriedBox.Move.take, .write] { box.perform(move) }
        // The system has the old settings until the machine starts again.
        box.perform(.crash)
        #expect(box.player == 1 && box.machine.waiting == 2)
        for start in 1...SettingsRecord.mostStarts {
            box.perform(.cut)
            #expect(box.player == 2 && box.disk.trial?.starts == start && box.timers == [.trial])
        }
        box.perform(.crash)
        #expect(box.player == 1 && box.system == 2 && box.restart == .restartMachine)
        #expect(box.disk.verdict?.words == "it was started 3 times without reaching everything")
        box.perform(.crash)
        #expect(box.restart == .restartMachine, "also when the player ends before the machine is started again")
        box.perform(.restart)
        #expect(box.player == 1 && box.system == 1 && box.restart == nil)
    }

    @Test("orderly ends use no start of a trial up, which goes on with the time that is left", arguments: ways)
    func orderly(way: SettingsRecord.Way) {
        var box = TriedBox(way: way, reachable: TriedBox.needed, faults: 9)
        for move in [TriedBox.Move.take, .write, .look(nil), .write, .restart] { box.perform(move) }
        for move in [TriedBox.Move.end, .endMachine, .end, .endMachine, .end] {
            box.perform(move)
            #expect(box.player == 2 && box.disk.trial?.starts == 1 && box.disk.trial?.left == nil && box.timers == [.trial])
        }
        #expect(box.machine.ending(after: .seconds(200))?.trial?.left == 700)
        #expect(box.machine.ending(after: .seconds(2000))?.trial?.left == 120)
        for start in 2...SettingsRecord.mostStarts {
            box.perform(.crash)
            box.perform(.end)
            #expect(box.player == 2 && box.disk.trial?.starts == start)
        }
        box.perform(.crash)
        #expect(box.player == 1 && box.disk.verdict?.isKept == false)
        #expect(box.machine.ending(after: .zero) == nil)
    }

    @Test(
        "whatever happens in whatever order, the box ends in the old settings or in new ones that reach everything",
        arguments: ways, [TriedBox.needed, [.network, .feed]] as [Set<SettingsProof>])
    func everyOrder(way: SettingsRecord.Way, reachable: Set<SettingsProof>) {
        // One document with more faults than a trial survives, and two with fewer.
        search(TriedBox(way: way, reachable: reachable, faults: 4), documents: 2)
        search(TriedBox(way: way, reachable: reachable, faults: 2), documents: 3)
    }

    private func search(_ start: TriedBox, documents: Int) {
        let (way, reachable) = (start.way, start.reachable)
        var seen: Set<TriedBox> = []
        var waiting = [start]
        var ends: Set<String?> = []
        while let box = waiting.popLast() {
            guard seen.insert(box).inserted else { continue }
            if let breach = box.breach {
                Issue.record("\(breach): \(box)")
                return
            }
            let end = box.calm()
            ends.insert(end.disk.kept?.text)
            guard end.disk.trial == nil, end.machine.takesDocuments, end.player == end.system || way == .restartPlayer,
                end.player == 1 || reachable == TriedBox.needed, end.player == end.disk.revision
            else {
                Issue.record("the box is lost: \(end) after \(box)")
                return
            }
            for move in box.moves(documents: documents) {
                var next = box
                next.perform(move)
                waiting.append(next)
            }
        }
        #expect(seen.count > 1000)
        let last = reachable == TriedBox.needed ? documents : 1
        #expect(ends == Set((1...last).map { Optional(TriedBox.text($0)) }))
    }

    @Test(
        "a record reads its document once, however often it is asked for it",
        .enabled(if: allocation_counter_works(), "a sanitizer counts here"))
    func readOnce() {
        let record = TriedBox(way: .restartPlayer, reachable: [], faults: 0).disk
        func allocations(_ work: () -> Int?) -> Int {
            allocation_counter_watch(allocation_counter_this_thread())
            defer { allocation_counter_watch(0) }
            for _ in 0..<5 where work() != 1 { return 0 }
            return allocation_counter_count()
        }
        let reading = allocations { record.revision }
        let parsing = allocations { StoredSettings(TriedBox.text(1)).content?.revision }
        #expect(parsing > 0 && reading * 2 < parsing, "\(reading) against \(parsing)")
    }

    @Test("a record is read as it was written, or not at all")
    func records() {
        let record = TriedBox(way: .restartPlayer, reachable: [], faults: 0).disk
        #expect(SettingsRecord(record.bytes) == record)
        for length in 0..<record.bytes.count { #expect(SettingsRecord(Array(record.bytes.prefix(length))) == nil) }
        #expect(SettingsRecord(pinned: TriedBox.pinned).inForce == nil)
    }
}
