import ChannelFeed
import Configuration
import Glibc
import Signatures
import WireFormats

/// Decides whether a document of settings is the operator's, for this box, newer than the last one, and of use. A value.
struct SettingsJudge: Sendable {
    /// Why a document changes nothing.
    struct Refusal: Error, Sendable, Hashable {
        /// A sentence without its capital letter and its end.
        var words: String
        /// Whether a key of the operator has signed the document.
        var isSigned = true

        var sentence: String { words.prefix(1).uppercased() + words.dropFirst() + "." }
    }

    /// The serial number of the box, which may be part of its name.
    var serial: String?
    /// The settings of the card alone.
    var card: Provisioning
    /// Whether the machine can be started again.
    var canRestartMachine: Bool
    /// This start of the machine.
    var boot: String? = nil

    /// What the box keeps when it takes a document.
    ///
    /// - Parameter date: nil while the clock cannot be believed.
    /// - Returns: nil if it has had this document before.
    func take(_ document: SignedDocument, _ record: SettingsRecord, at date: FeedDate?) throws(Refusal) -> SettingsRecord? {
        guard document.bytes.count <= SettingsDocument.longest else {
            throw Refusal(words: "the document has more than \(SettingsDocument.longest >> 10) KiB", isSigned: false)
        }
        let signer = try signer(of: document, record.keys)
        let isOfSpare = record.keys.spare.contains(signer)
        let settings: SettingsDocument
        do throws(DocumentFault) {
            settings = try SettingsDocument(document.bytes)
        } catch {
            throw Refusal(words: "the document is wrong: \(error)")
        }
        let configuration = card.configuration
        if let exclusion = settings.exclusion(box: configuration.name(serial: serial), group: configuration.group) {
            throw Refusal(words: "the document is not for this box: \(exclusion)")
        }
        let text = String(decoding: document.bytes, as: UTF8.self)
        guard try isNews(settings, text, isOfSpare: isOfSpare, record) else { return nil }
        if let lateness = settings.lateness(at: date) { throw Refusal(words: lateness) }
        try checkKeys(settings, signer: signer, isOfSpare: isOfSpare, record)
        let way = try way(from: record.inForce, to: settings)
        return record.taking(settings, text: text, isOfSpare: isOfSpare, way: way, boot: boot)
    }

    /// The key that has signed a document, spare ones first.
    private func signer(of document: SignedDocument, _ keys: SettingsKeys) throws(Refusal) -> String {
        let all = keys.all
        do throws(PinnedKeys.Fault) {
            try PinnedKeys(all).verify(document.bytes, signature: document.signature)
        } catch {
            throw Refusal(words: "the document is not the operator's: \(error)", isSigned: false)
        }
        let signer = all.first { (try? PinnedKeys([$0]).verify(document.bytes, signature: document.signature)) != nil }
        guard let signer else { throw Refusal(words: "the document is not the operator's", isSigned: false) }
        return signer
    }

    /// Where a spare key takes a working one away, only the revisions of spare keys count: a thief of the working one may have used up the numbers.
    private func isNews(
        _ settings: SettingsDocument, _ text: String, isOfSpare: Bool, _ record: SettingsRecord
    ) throws(Refusal) -> Bool {
        if text == record.kept?.text || text == record.trial?.document.text { return false }
        let takesAway = settings.publicKeys.map { left in record.keys.working.contains { !left.contains($0) } } ?? false
        let newest = isOfSpare && takesAway ? record.newestOfSpare : record.newest
        guard settings.revision > newest else {
            if let verdict = record.verdict, !verdict.isKept, verdict.revision == settings.revision {
                throw Refusal(
                    words:
                        "its revision \(verdict.revision) was given up, because \(verdict.words); give the next one a higher number"
                )
            }
            throw Refusal(
                words: "its revision \(settings.revision) is not higher than \(newest), the highest that the box has seen")
        }
        return true
    }

    private func checkKeys(
        _ settings: SettingsDocument, signer: String, isOfSpare: Bool, _ record: SettingsRecord
    ) throws(Refusal) {
        if let objection = settings.objection(to: signer, isOfSpare: isOfSpare) { throw Refusal(words: objection) }
        let after = record.keys.after(settings)
        if let gone = after.all.first(where: record.isGone) {
            throw Refusal(words: "the key “\(gone.prefix { $0 != ":" })” was taken away before, and does not come back")
        }
        guard !after.hasNameTwice else { throw Refusal(words: "two keys would have one name") }
        guard !after.hasKeyTwice else { throw Refusal(words: "one key would be there twice, under two names") }
    }

    /// What makes the box use other settings; nil if nothing changes.
    private func way(from old: SettingsDocument?, to new: SettingsDocument) throws(Refusal) -> SettingsRecord.Way? {
        let (before, after) = (card.replacing(by: old).configuration, card.replacing(by: new).configuration)
        guard after.settingsAddress(serial: serial) != nil || after.broker != nil else {
            throw Refusal(
                words: "with it the box would have neither an address of settings nor a broker, and could not be reached")
        }
        // What is of no use on the card alone is not the document's fault.
        let known = RefusedAddress.all(in: card.configuration, serial: serial)
        if let refused = RefusedAddress.all(in: after, serial: serial).first(where: { !known.contains($0) }) {
            throw Refusal(words: "\(refused.name) is \(refused.fault), and its host is not in feed.allow_http")
        }
        if after.changes(since: before).isEmpty { return nil }
        let isOfSystem = SystemFiles(after, serial: serial) != SystemFiles(before, serial: serial)
        return isOfSystem && canRestartMachine ? .restartMachine : .restartPlayer
    }
}
