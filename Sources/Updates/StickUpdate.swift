import LinuxSupport

/// A bundle on a USB stick. A value.
package struct StickBundle: Sendable, Hashable {
    package let path: String
    package let version: ReleaseVersion

    /// The newest of the bundles that are for this system, other than it, and not older. A version that was given up here is not among them.
    package static func best(
        _ bundles: [(path: String, facts: BundleFacts)], for compatible: String, running: SlotFacts
    ) -> StickBundle? {
        bundles
            .filter { _, bundle in
                bundle.compatible == compatible && bundle.version != running.version && !bundle.version.precedes(running.version)
                    && running.refused[bundle.version] == nil
            }
            .map { StickBundle(path: $0.path, version: $0.facts.version) }
            .max { $0.version.precedes($1.version) }
    }
}

/// The course of an update from a USB stick: from the bundle that was found to the restart. A value: events go in, effects come out.
///
/// A viewer starts it, who has read what it does; neither window nor network matter. The installer is the one of `UpdateMachine`.
package struct StickUpdate: Sendable {
    package enum State: Sendable, Hashable {
        /// No stick has a bundle for this box.
        case none
        case found(StickBundle)
        /// With the share that is done, in percent.
        case installing(StickBundle, percent: Int)
        /// Written and verified; the box restarts.
        case installed(StickBundle)
        /// With a sentence. It can be tried again while the stick is present.
        case failed(StickBundle, String)
    }

    package enum Effect: Sendable, Hashable {
        case install(StickBundle)
        case cancel
        case restart
        /// A line for the log.
        case note(String)
    }

    package private(set) var state = State.none
    private var reportedAt = HostTime.zero

    package init() {}

    /// Whether the installer works for the stick, or has, and the box is about to restart.
    package var isBusy: Bool {
        switch state {
        case .installing, .installed: true
        case .none, .found, .failed: false
        }
    }

    /// The sticks were searched.
    package mutating func take(_ bundle: StickBundle?) -> [Effect] {
        switch state {
        // The installer notices for itself that a stick is gone.
        case .installing, .installed: return []
        case .found(bundle), .failed(bundle, _): return []
        case .none, .found, .failed:
            state = bundle.map { .found($0) } ?? .none
            return bundle.map { [.note("updates: \($0.version) is on a USB stick: \($0.path)")] } ?? []
        }
    }

    /// The viewer wants it.
    package mutating func accept(at now: HostTime) -> [Effect] {
        switch state {
        case .none, .installing, .installed: return []
        case .found(let bundle), .failed(let bundle, _):
            state = .installing(bundle, percent: 0)
            reportedAt = now
            return [.note("updates: \(bundle.version) is being installed from a USB stick"), .install(bundle)]
        }
    }

    /// The installer has reported.
    ///
    /// - Parameter version: the one that it was told to install.
    package mutating func take(_ report: UpdateMachine.Report, of version: String, at now: HostTime) -> [Effect] {
        guard case .installing(let bundle, _) = state, bundle.version.description == version else { return [] }
        reportedAt = now
        switch report {
        case .progress(let percent):
            state = .installing(bundle, percent: min(max(percent, 0), 100))
            return []
        case .installed:
            state = .installed(bundle)
            return [.note("updates: \(bundle.version) is installed; the box restarts"), .restart]
        case .failed(let reason): return fail(bundle, reason)
        }
    }

    /// Time has passed.
    package mutating func look(at now: HostTime) -> [Effect] {
        guard case .installing(let bundle, _) = state, now - reportedAt >= UpdateMachine.silence else { return [] }
        return [.cancel] + fail(bundle, "the installer has not reported for half an hour")
    }

    private mutating func fail(_ bundle: StickBundle, _ reason: String) -> [Effect] {
        state = .failed(bundle, reason)
        return [.note("updates: \(bundle.version) could not be installed from a USB stick: \(reason)")]
    }
}

private func ~= (pattern: StickBundle?, value: StickBundle) -> Bool { pattern == value }
