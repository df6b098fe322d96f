import Appliance
import Configuration
import Housekeeping
import LinuxSupport
import MediaModel

/// Reads the settings again while the player runs (SIGHUP): applies what can change now, and says which keys wait for the next start. Main loop only.
@MainActor
final class SettingsReload {
    /// The keys that are applied at once, and what does that.
    private static let live: [(keys: Set<String>, apply: @MainActor (Configuration, OperatorRules) -> Void)] = [
        (
            ["sound.start_volume", "sound.min_volume", "sound.max_volume"],
            { settings, rules in
                rules.setVolume(
                    VolumeLimits(start: settings.startVolume, least: settings.leastVolume, most: settings.mostVolume))
            }
        ), (["display.overscan"], { settings, rules in rules.setOverscan(settings.overscanPercent) }),
    ]

    private let rules: OperatorRules
    private let log: LogBook
    /// What was started with, and what of it is in use now.
    private let started: Configuration
    private var seen: Configuration
    private let read: @MainActor () throws(ConfigurationError) -> Provisioning

    /// - Parameter read: reads the settings as at the start.
    init(
        _ started: Configuration, rules: OperatorRules, log: LogBook,
        read: @escaping @MainActor () throws(ConfigurationError) -> Provisioning
    ) {
        (self.started, self.rules, self.log, self.read) = (started, rules, log, read)
        seen = started
    }

    /// Reads them. Settings that cannot be read change nothing.
    func readAgain() {
        let provisioning: Provisioning
        do throws(ConfigurationError) {
            provisioning = try read()
        } catch {
            return log.note("settings: \(error.description); nothing changes", .warning)
        }
        if let problem = provisioning.problem { return log.note("settings: \(problem.description); nothing changes", .warning) }
        let new = provisioning.configuration
        for verdict in new.problems { log.note("settings: \(verdict)", .warning) }
        let changes = Set(new.changes(since: seen))
        for (keys, apply) in Self.live where !keys.isDisjoint(with: changes) { apply(new, rules) }
        seen = new
        let liveKeys = Set(Self.live.flatMap(\.keys))
        let applied = changes.intersection(liveKeys).sorted()
        let waiting = new.changes(since: started).filter { !liveKeys.contains($0) }
        if !applied.isEmpty { log.note("settings: applied now: \(applied.joined(separator: ", "))") }
        if !waiting.isEmpty {
            log.note("settings: applied when the player is started again: \(waiting.joined(separator: ", "))")
        }
        if applied.isEmpty, waiting.isEmpty { log.note("settings: nothing has changed") }
    }
}
