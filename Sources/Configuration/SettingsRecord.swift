import FoundationEssentials

/// The keys that sign documents of settings, each as `NAME:BASE64`.
package struct SettingsKeys: Codable, Sendable, Hashable {
    package var working: [String]
    /// Kept offline: they alone change themselves, and outrank working ones that were stolen.
    package var spare: [String]

    package init(working: [String] = [], spare: [String] = []) {
        self.working = working
        self.spare = spare
    }

    package var isEmpty: Bool { working.isEmpty && spare.isEmpty }

    /// All of them, spare ones first.
    package var all: [String] { spare + working }

    /// Whether two of them have one name.
    package var hasNameTwice: Bool { Set(all.map { $0.prefix { $0 != ":" } }).count < all.count }
    /// Whether one is there twice, perhaps under two names.
    package var hasKeyTwice: Bool { Set(all.map(Self.content)).count < all.count }

    /// The keys that count once a document is accepted.
    package func after(_ document: SettingsDocument) -> SettingsKeys {
        SettingsKeys(working: document.publicKeys ?? working, spare: document.spareKeys ?? spare)
    }

    /// Whether these are the same keys, in whatever order.
    func isSame(as other: SettingsKeys) -> Bool {
        Set(working) == Set(other.working) && Set(spare) == Set(other.spare)
    }

    /// The key itself, in Base64: another name does not make another key.
    package static func content(_ key: String) -> String { String(key.drop { $0 != ":" }.dropFirst()) }
}

/// A document in the record: its text, and what was read from it once. A value.
package struct StoredSettings: Codable, Sendable, Hashable {
    package let text: String
    /// Nil if this version of the program cannot read it.
    package let content: SettingsDocument?

    package init(_ text: String) {
        self.text = text
        content = try? SettingsDocument(Array(text.utf8), isStored: true)
    }

    package init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    package static func == (first: StoredSettings, second: StoredSettings) -> Bool { first.text == second.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// What a box keeps of the settings that it gets from afar: the one file of their trial. Each step replaces it as a whole, so that a power cut leaves the old
/// settings or the new ones. A value.
package struct SettingsRecord: Codable, Sendable, Hashable {
    /// What makes the program and the system use other settings.
    package enum Way: String, Codable, Sendable {
        case restartPlayer, restartMachine
    }

    /// Settings that have to prove themselves.
    package struct Trial: Codable, Sendable, Hashable {
        package var document: StoredSettings
        package var revision: Int
        package var way: Way
        /// How often the player was started with them.
        package var starts = 0
        /// The seconds that were left of it when the player ended in order; nil if it did not end so.
        package var left: Int?
        /// The start of the machine in which they were taken; the next one begins with them.
        var boot: String?
    }

    /// What became of the last document.
    package struct Verdict: Codable, Sendable, Hashable {
        package var revision: Int
        package var isKept: Bool
        /// Why it was given up; empty if it was kept.
        package var words: String
    }

    /// So often the settings on trial may be started with: more are power cuts or crashes that they may have caused. A start after an orderly end is none.
    package static let mostStarts = 3
    private static let mostGoneKeys = 256
    /// The largest file.
    package static let longest = 1 << 20

    /// The keys in `marquee.toml` to which this belongs.
    package private(set) var pinned: SettingsKeys
    /// The keys that count now.
    package private(set) var keys: SettingsKeys
    /// Keys that counted once and were taken away, the last ones, without their names: none of them comes back.
    private var goneKeys: [String] = []
    /// The highest revision of all documents so far, and of those that a spare key has signed.
    package private(set) var newest = 0
    package private(set) var newestOfSpare = 0
    /// The document that was kept; nil: what `marquee.toml` says.
    package private(set) var kept: StoredSettings?
    package private(set) var trial: Trial?
    package private(set) var verdict: Verdict?
    /// The start of the machine whose system still has settings that were given up.
    private var spoiltBoot: String?

    /// A box that has had none yet.
    package init(pinned: SettingsKeys) {
        self.pinned = pinned
        keys = pinned
    }

    /// The record in a file; nil if it cannot be read.
    package init?(_ bytes: [UInt8]) {
        guard let record = try? JSONDecoder().decode(SettingsRecord.self, from: Data(bytes)) else { return nil }
        self = record
    }

    /// The same where `marquee.toml` pins these keys. Other ones than before count from now on, but for those that a document has taken away; while one of
    /// them counted before, revisions and settings go on, since what it has signed would be taken again. Nothing is written for it: a mistake on the card
    /// that is mended has changed nothing.
    package func pinning(_ keys: SettingsKeys) -> SettingsRecord {
        guard !keys.isSame(as: pinned) else { return self }
        var next = self
        next.pinned = keys
        next.keys = SettingsKeys(
            working: keys.working.filter { !isGone($0) }, spare: keys.spare.filter { !isGone($0) })
        if Set(next.keys.all.map(SettingsKeys.content)).isDisjoint(with: self.keys.all.map(SettingsKeys.content)) {
            (next.newest, next.newestOfSpare) = (0, 0)
            (next.kept, next.trial, next.verdict) = (nil, nil, nil)
        }
        return next
    }

    /// For the file.
    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts, numbers and lists of them can always be encoded.
        return (try? encoder.encode(self)).map { Array($0) } ?? []
    }

    /// The settings that are in use: those on trial once a start has been counted, else the ones that were kept.
    package var inForce: SettingsDocument? {
        (trial.flatMap { $0.starts > 0 ? $0.document : nil } ?? kept)?.content
    }

    /// The revision in use; nil without one.
    package var revision: Int? { inForce?.revision }

    /// Whether a key counted once and was taken away, under whatever name.
    package func isGone(_ key: String) -> Bool { goneKeys.contains(SettingsKeys.content(key)) }

    /// Whether the machine must be started again before anything else, because its system has settings that were given up.
    package func isSpoilt(in boot: String?) -> Bool { spoiltBoot != nil && spoiltBoot == boot }

    // MARK: The steps

    /// A document was accepted.
    ///
    /// - Parameters:
    ///   - way: what begins the trial; nil: it changes no setting, and is kept at once.
    ///   - boot: this start of the machine.
    package func taking(
        _ document: SettingsDocument, text: String, isOfSpare: Bool, way: Way?, boot: String?
    ) -> SettingsRecord {
        var next = self
        // A spare key may begin again below the numbers that a thief of a working one has used up.
        next.newest = document.revision
        if isOfSpare { next.newestOfSpare = document.revision }
        next.keys = keys.after(document)
        let left = Set(next.keys.all.map(SettingsKeys.content))
        next.goneKeys = Array(
            (goneKeys + keys.all.map(SettingsKeys.content).filter { !left.contains($0) }).suffix(Self.mostGoneKeys))
        guard let way else {
            (next.kept, next.trial) = (StoredSettings(text), nil)
            next.verdict = Verdict(revision: document.revision, isKept: true, words: "")
            return next
        }
        next.trial = Trial(
            document: StoredSettings(text), revision: document.revision, way: way, boot: way == .restartMachine ? boot : nil)
        return next
    }

    /// The player starts.
    ///
    /// - Parameter isSystemOld: whether an earlier start of the player in this start of the machine could not be counted, so that the system was given the
    ///   old settings.
    package func counting(in boot: String?, isSystemOld: Bool) -> SettingsRecord {
        guard var trial else { return self }
        // The system has the old settings until the machine starts again.
        let isTakenNow = trial.boot != nil && trial.boot == boot
        if trial.way == .restartMachine, trial.starts == 0, isTakenNow || isSystemOld { return self }
        if trial.left == nil {
            guard trial.starts < Self.mostStarts else {
                return givingUp("it was started \(Self.mostStarts) times without reaching everything", in: boot)
            }
            trial.starts += 1
        }
        trial.left = nil
        var next = self
        next.trial = trial
        return next
    }

    /// The player ends in order during the trial.
    package func ending(left: Duration) -> SettingsRecord {
        var next = self
        next.trial?.left = Int(left.components.seconds)
        return next
    }

    /// Everything was reached.
    package var keeping: SettingsRecord {
        guard let trial else { return self }
        var next = self
        (next.kept, next.trial) = (trial.document, nil)
        next.verdict = Verdict(revision: trial.revision, isKept: true, words: "")
        return next
    }

    /// Not everything was reached.
    package func givingUp(_ words: String, in boot: String?) -> SettingsRecord {
        guard let trial else { return self }
        var next = self
        next.trial = nil
        next.verdict = Verdict(revision: trial.revision, isKept: false, words: words)
        if trial.way == .restartMachine { next.spoiltBoot = boot }
        return next
    }
}
