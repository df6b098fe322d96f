import ChannelFeed
import Configuration

/// What a box would make of a document of settings, for the operator who writes it.
package enum SettingsPreview {
    /// Why a box would refuse it, as one sentence; or what it would change.
    package enum Verdict: Sendable, Hashable {
        case refused(String)
        case taken(changes: [String], way: SettingsRecord.Way?)
    }

    /// - Parameters:
    ///   - card: of a box of this project's image that has taken no document yet.
    ///   - date: nil: that of a box whose clock cannot be believed.
    package static func verdict(
        _ document: [UInt8], signature: [UInt8], card: Provisioning, serial: String?, at date: FeedDate?
    ) -> Verdict {
        let judge = SettingsJudge(serial: serial, card: card, canRestartMachine: true)
        let record = SettingsRecord(pinned: card.configuration.settingsKeys)
        do throws(SettingsJudge.Refusal) {
            let next = try judge.take(SignedDocument(bytes: document, signature: signature), record, at: date)
            let settings = try? SettingsDocument(document)
            let changes = card.replacing(by: settings).configuration.changes(since: card.configuration)
            return .taken(changes: changes, way: next?.trial?.way)
        } catch {
            return .refused(error.sentence)
        }
    }
}
