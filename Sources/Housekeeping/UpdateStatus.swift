import StatusModel
import URLReferences
import Updates

/// How it stands with updates, for operators and viewers. A value.
package struct UpdateStatus: Sendable, Hashable {
    /// The words for reports and metrics.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// The system has not said what runs: this machine has no installer.
        case unavailable
        /// No offer concerns the box.
        case idle
        case waiting, installing
        /// The next start is from the new system.
        case installed
    }

    package var state = State.unavailable
    /// Of the running system; nil if it is unknown.
    package var running: String?
    package var isOnTrial = false
    /// The offered version that concerns this box.
    package var offered: String?
    /// While it is installed.
    package var percent: Int?
    /// Why it waits.
    package var hindrance: String?
    /// Why no offer concerns the box, in words.
    package var exclusion: String?
    /// Installations that failed in a row.
    package var failures = 0
    /// Why the last one failed, or why the notice could not be used.
    package var trouble: String?
    /// Versions that were tried here and given up.
    package var refused: [String] = []

    package init() {}

    init(machine: UpdateMachine?, slots: SlotFacts?, noticeTrouble: String?) {
        guard let machine, let slots else { return }
        running = slots.version.description
        isOnTrial = slots.isOnTrial
        offered = machine.notice?.version.description
        failures = machine.failures
        trouble = machine.lastFailure ?? noticeTrouble
        refused = slots.refused.keys.map(\.description).sorted()
        switch machine.state {
        case .idle(let exclusion): (state, self.exclusion) = (.idle, exclusion?.description)
        case .waiting(_, let hindrance): (state, self.hindrance) = (.waiting, hindrance.rawValue)
        case .installing(_, let percent): (state, self.percent) = (.installing, percent)
        case .installed(_, let hindrance): (state, self.hindrance) = (.installed, hindrance?.rawValue)
        }
    }
}

extension BoxDescription.Update {
    init(_ status: UpdateStatus) {
        self.init(state: status.state.rawValue)
        (running, isOnTrial, offered) = (status.running, status.isOnTrial, status.offered)
        (percent, waitsFor) = (status.percent, status.hindrance)
        trouble = status.trouble.map(Redaction.inText)
    }
}
