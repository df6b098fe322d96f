/// What the version before a trial lacked and had, at the time of the update (`docs/updates.md`). A value; as text it has one word a line.
package struct SlotRecord: Sendable, Equatable {
    package var shortcomings: Set<SlotHealth.Shortcoming> = []
    package var parts: Set<SlotHealth.Part> = []

    package init() {}

    package init(_ health: SlotHealth) {
        shortcomings = Set(health.shortcomings)
        parts = health.parts
    }

    /// Unknown words, such as those of a newer version, are skipped.
    package init(_ text: String) {
        for word in text.split(separator: "\n") {
            if let shortcoming = SlotHealth.Shortcoming(rawValue: String(word)) { shortcomings.insert(shortcoming) }
            if let part = SlotHealth.Part(rawValue: String(word)) { parts.insert(part) }
        }
    }

    /// The lines in the order of the cases.
    package var lines: [String] {
        SlotHealth.Shortcoming.allCases.filter(shortcomings.contains).map(\.rawValue)
            + SlotHealth.Part.allCases.filter(parts.contains).map(\.rawValue)
    }

    /// What is wrong with the new version, each as a part of a sentence: what it lacks and the version before did not, and what the machine has lost.
    package func held(against missing: [SlotHealth.Shortcoming], _ present: Set<SlotHealth.Part>) -> [String] {
        missing.filter { !($0.canBeExcused && shortcomings.contains($0)) }.map(\.words)
            + SlotHealth.Part.allCases.filter { parts.contains($0) && !present.contains($0) }.map(\.wordsWhenLost)
    }
}
