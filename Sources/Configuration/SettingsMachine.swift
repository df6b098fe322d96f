/// What settings on trial must reach.
package enum SettingsProof: String, Sendable, Hashable, CaseIterable {
    /// The machine has an address.
    case network
    /// A feed was loaded and accepted.
    case feed
    /// The server of the settings has given a signed document.
    case settings
    /// The operator's broker has let the box in.
    case broker

    var words: String {
        switch self {
        case .network: "the network"
        case .feed: "the feed"
        case .settings: "the server of the settings"
        case .broker: "the broker"
        }
    }
}

/// Why a trial does not begin yet.
package enum SettingsHindrance: String, Sendable, Hashable, CaseIterable {
    /// Somebody watches, and the document is not critical.
    case watched
    /// The system is on trial, or is being written.
    case updating
    /// The disk refuses the record: a start with the new settings could not be counted.
    case storage
    /// Nothing starts the player or the machine again.
    case restart
}

/// The trial of settings from afar: from a document that was accepted to the one that is kept. A value: events go in, effects come out.
///
/// Its steps are those of `SettingsRecord`, of which each is on the disk before the next begins; `scripts/check-models.d/settings.pml` is a model of both.
package struct SettingsMachine: Sendable, Hashable {
    package enum Timer: Sendable, Hashable {
        /// The trial is over.
        case trial
        /// A write or a restart is tried again.
        case retry
    }

    package enum Event: Sendable, Hashable {
        /// The surroundings were looked at: why a trial must not begin now.
        case looked(SettingsHindrance?)
        /// The write that was asked for last is on the disk, or is not.
        case stored, notStored
        case reached(SettingsProof)
        case timerFired(Timer)
    }

    package enum Effect: Sendable, Hashable {
        case store(SettingsRecord)
        case restart(SettingsRecord.Way)
        case arm(Timer, after: Duration)
        case cancel(Timer)
        /// A line for the log.
        case note(String)
        /// The settings are kept: what the disk has for a start without a network is theirs from now on.
        case keepFeed
    }

    private enum State: Sendable, Hashable {
        case settled
        /// A document is being written.
        case taking(SettingsRecord)
        /// It is on the disk; the restart that begins its trial waits.
        case due(SettingsHindrance?)
        /// The record is written once more: a restart whose trial could not be counted would be one of many.
        case readying(SettingsHindrance?)
        case trying(missing: Set<SettingsProof>)
        case keeping(SettingsRecord)
        case givingUp(SettingsRecord)
        /// A restart was asked for.
        case leaving(SettingsRecord.Way)
    }

    /// What is on the disk.
    package private(set) var record: SettingsRecord
    private var state: State
    private let boot: String?
    private let length: Duration

    /// How long it waits before it tries a write or a restart again.
    static let patience = Duration.seconds(60)
    /// What a trial has left at least when it goes on after an orderly end.
    static let shortest = Duration.seconds(120)

    /// - Parameters:
    ///   - record: on the disk, after `counting`.
    ///   - boot: this start of the machine.
    ///   - needed: what must be reached with the settings in use.
    ///   - length: of a trial.
    package init(_ record: SettingsRecord, boot: String?, needed: Set<SettingsProof>, length: Duration) {
        self.record = record
        self.boot = boot
        self.length = length
        if record.isSpoilt(in: boot) {
            state = .leaving(.restartMachine)
        } else if let trial = record.trial {
            state = trial.starts > 0 ? .trying(missing: needed) : .due(nil)
        } else {
            state = .settled
        }
    }

    // MARK: What is told

    /// A restart that does not come is waited for, and a verdict that is not on the disk is none yet.
    package enum Standing: Sendable, Hashable {
        case settled, waiting, trying
    }
    package var standing: Standing {
        switch state {
        case .settled: .settled
        case .taking: record.trial == nil ? .settled : .waiting
        case .due, .readying, .leaving: .waiting
        case .trying, .keeping, .givingUp: .trying
        }
    }
    /// The revision that has its trial now.
    package var tried: Int? { if case .trying = state { record.trial?.revision } else { nil } }
    /// The revision that waits for its trial.
    package var waiting: Int? {
        switch state {
        case .due, .readying: record.trial?.revision
        case .settled, .taking, .trying, .keeping, .givingUp, .leaving: nil
        }
    }
    package var hindrance: SettingsHindrance? {
        switch state {
        case .due(let hindrance), .readying(let hindrance): hindrance
        case .keeping, .givingUp: .storage
        case .leaving: .restart
        case .settled, .taking, .trying: nil
        }
    }
    /// What was not reached yet, in its order.
    package var missing: [SettingsProof] {
        if case .trying(let missing) = state { SettingsProof.allCases.filter(missing.contains) } else { [] }
    }
    /// Whether the trial that waits begins even while somebody watches.
    package var isCritical: Bool {
        guard case .due = state else { return false }
        return record.trial?.document.content?.isCritical ?? false
    }
    /// Whether a document may be taken now: not during a trial, whose verdict comes first. One whose trial waits for a restart is replaced, since that may never
    /// come; the restart after a verdict, or of a machine that has other settings than the player, comes first.
    package var takesDocuments: Bool {
        switch state {
        case .settled, .due: true
        case .leaving: record.trial != nil && !record.isSpoilt(in: boot)
        case .taking, .readying, .trying, .keeping, .givingUp: false
        }
    }

    // MARK: Events

    /// The player has started.
    package mutating func start() -> [Effect] {
        switch state {
        case .leaving(let way):
            return [.note("settings: the machine is started again, since its system has settings that were given up")]
                + leave(way)
        case .trying(let missing):
            let words =
                "settings: revision \(record.trial?.revision ?? 0) is on trial, start \(record.trial?.starts ?? 0) of \(SettingsRecord.mostStarts)"
            return [.note(words), .arm(.trial, after: length)] + (missing.isEmpty ? keep() : [])
        case .settled, .taking, .due, .readying, .keeping, .givingUp: return []
        }
    }

    /// A document was accepted, as `SettingsRecord.taking` has it.
    package mutating func take(_ next: SettingsRecord) -> [Effect] {
        guard takesDocuments else { return [] }
        state = .taking(next)
        return [.store(next)]
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch (state, event) {
        case (.taking(let next), .stored):
            record = next
            guard let trial = next.trial else {
                state = .settled
                return [.note("settings: revision \(next.newest) changes no setting, and is kept")]
            }
            state = .due(nil)
            return [.note("settings: revision \(trial.revision) is accepted, and gets its trial")]
        case (.taking, .notStored):
            state = record.trial == nil ? .settled : .due(nil)
            return [.note("settings: the document could not be stored, and is not used")]
        case (.due, .looked(let hindrance?)):
            state = .due(hindrance)
            return []
        case (.due(let hindrance), .looked(nil)):
            state = .readying(hindrance)
            return [.store(record)]
        case (.readying(let hindrance), .notStored):
            state = .due(.storage)
            return hindrance == .storage ? [] : [.note("settings: the trial waits, because the disk takes no record of it")]
        case (.readying, .stored):
            guard let trial = record.trial else { return [] }
            return [.note("settings: the trial of revision \(trial.revision) begins with a restart")] + leave(trial.way)
        case (.trying(var missing), .reached(let proof)):
            guard missing.remove(proof) != nil else { return [] }
            state = .trying(missing: missing)
            return [.note("settings: \(proof.words) was reached")] + (missing.isEmpty ? keep() : [])
        case (.trying(let missing), .timerFired(.trial)):
            let words = SettingsProof.allCases.filter(missing.contains).map(\.words).joined(separator: " and ")
            return giveUp("\(words) \(missing.count == 1 ? "was" : "were") not reached")
        case (.keeping(let next), .stored):
            record = next
            state = .settled
            return [.note("settings: revision \(next.verdict?.revision ?? 0) is kept"), .keepFeed]
        case (.givingUp(let next), .stored):
            let way = record.trial?.way ?? .restartPlayer
            record = next
            let verdict = next.verdict
            return [.note("settings: revision \(verdict?.revision ?? 0) is given up, because \(verdict?.words ?? "")")]
                + leave(way)
        case (.keeping, .notStored), (.givingUp, .notStored):
            return [
                .note("settings: the verdict could not be stored; it is tried again"), .arm(.retry, after: Self.patience),
            ]
        case (.keeping(let next), .timerFired(.retry)), (.givingUp(let next), .timerFired(.retry)): return [.store(next)]
        case (.leaving(let way), .timerFired(.retry)): return leave(way)
        case (.settled, _), (.taking, _), (.due, _), (.readying, _), (.trying, _), (.keeping, _), (.givingUp, _), (.leaving, _):
            return []
        }
    }

    /// What is written when the player ends in order; nil where that changes nothing.
    ///
    /// - Parameter elapsed: since the start.
    package func ending(after elapsed: Duration) -> SettingsRecord? {
        guard case .trying = state else { return nil }
        return record.ending(left: max(length - elapsed, Self.shortest))
    }

    // MARK: Steps

    private mutating func keep() -> [Effect] {
        let next = record.keeping
        state = .keeping(next)
        return [.cancel(.trial), .store(next)]
    }

    private mutating func giveUp(_ words: String) -> [Effect] {
        let next = record.givingUp(words, in: boot)
        state = .givingUp(next)
        return [.store(next)]
    }

    /// The process ends; if it does not, it is tried again.
    private mutating func leave(_ way: SettingsRecord.Way) -> [Effect] {
        state = .leaving(way)
        return [.restart(way), .arm(.retry, after: Self.patience)]
    }
}
