import LinuxSupport
import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// The record of a whole playback as text: one line per fact, in order, each with the clock's time. Two simulated runs with the same input give the
/// same bytes: it contains no address, port, path or wall time.
@MainActor
package final class EventDump {
    private let clock: any HostClock
    private let write: @MainActor (String) -> Void
    private var lastInterface: [String: String] = [:]

    /// - Parameter write: receives each line, without its line feed.
    package init(clock: any HostClock, write: @escaping @MainActor (String) -> Void) {
        self.clock = clock
        self.write = write
    }

    /// Adds a line: what happened, and its details.
    package func note(_ kind: String, _ particulars: String = "") {
        write("\(clock.now) \(kind)\(particulars.isEmpty ? "" : " ")\(particulars)")
    }

    /// Adds a line for each part of the presentation state that has changed.
    func note(_ state: PresentationState) {
        for child in Mirror(reflecting: state).children {
            guard let name = child.label else { continue }
            let text = Self.text(of: child.value)
            guard lastInterface[name] != text else { continue }
            lastInterface[name] = text
            note("interface", "\(name) \(text)")
        }
    }

    /// A frame that was shown for the first time.
    func note(_ record: FrameRecord) {
        let hash = record.contentHash.map { " hash=" + String($0, radix: 16) } ?? ""
        let sync = record.soundDelay.map { " sync=\($0.milliseconds)ms" } ?? ""
        note("frame", "asset=\(record.time) scheduled=\(record.scheduled) flip=\(record.flip)\(sync)\(hash)")
    }

    /// The folder of a file differs between machines, but not its name.
    private static func withoutPlace(_ words: String) -> Substring {
        guard words.hasPrefix("/") || words.contains("://"), let slash = words.lastIndex(of: "/") else { return words[...] }
        return words[words.index(after: slash)...]
    }

    /// A value as text: fields by name, without those that are nil or empty.
    static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "-"
        case .collection: return "[" + mirror.children.map { text(of: $0.value) }.joined(separator: ", ") + "]"
        case .enum where !mirror.children.isEmpty:
            let child = mirror.children.first!
            return "\(child.label ?? "")(\(text(of: child.value)))"
        case .tuple:
            return mirror.children.map { "\($0.label ?? "_")=\(text(of: $0.value))" }.joined(separator: " ")
        case .struct where !(value is any CustomStringConvertible):
            let fields = mirror.children.compactMap { child -> String? in
                guard let label = child.label else { return nil }
                let words = text(of: child.value)
                return words == "-" || words == "[]" ? nil : "\(label)=\(words)"
            }
            return "{" + fields.joined(separator: " ") + "}"
        default:
            if let words = value as? String { return "\"\(withoutPlace(words))\"" }
            return String(describing: value)
        }
    }
}
