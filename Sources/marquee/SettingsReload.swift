import Appliance
import Configuration
import Housekeeping
import LinuxSupport
import StatusModel

/// Reads the settings again while the player runs (SIGHUP): applies what can change now, and says which keys wait for the next start. What is wrong, or not
/// there, changes nothing: a typing error must not open what an operator has limited. Main loop only.
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
        (["box.hours"], { settings, rules in rules.setHours(try? settings.openingHours()) }),
    ]

    private let rules: OperatorRules
    private let log: LogBook
    /// What was started with, and what of it is in use now.
    private let started: Configuration
    private var seen: Configuration
    /// Keys that were not applied, because one of them or of those that belong together with it was wrong.
    private var kept: Set<String> = []
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
        guard provisioning.hasFile else {
            return log.note("settings: there is no marquee.toml any more, or none was given; nothing changes", .warning)
        }
        let new = provisioning.configuration
        for verdict in new.problems { log.note("settings: \(verdict)", .warning) }
        let wrong = Set(new.problems.filter { $0.outcome == .wrong }.map(\.name))
        let changes = Set(new.changes(since: seen)).union(kept)
        kept = []
        var applied: [String] = []
        for (keys, apply) in Self.live {
            let changed = keys.intersection(changes.union(wrong))
            if !keys.isDisjoint(with: wrong) {
                kept.formUnion(changed)
            } else if !changed.isEmpty {
                apply(new, rules)
                applied += changed
            }
        }
        seen = new
        applied.sort()
        let liveKeys = Set(Self.live.flatMap(\.keys))
        let waiting = new.changes(since: started).filter { !liveKeys.contains($0) }
        if !applied.isEmpty { log.note("settings: applied now: \(applied.joined(separator: ", "))") }
        if !waiting.isEmpty {
            log.note("settings: applied when the player is started again: \(waiting.joined(separator: ", "))")
        }
        if !kept.isEmpty {
            log.note("settings: kept as they were: \(kept.sorted().joined(separator: ", "))", .warning)
        }
        if applied.isEmpty, waiting.isEmpty, kept.isEmpty { log.note("settings: nothing has changed") }
    }
}
