/// What a box is to be, by the file on its firmware partition and what it kept of the last one: a decision, made of texts alone.
package struct Provisioning: Sendable {
    /// What is in force.
    package let configuration: Configuration
    /// Why nothing of the file is applied, where it cannot be read at all.
    package let problem: ConfigurationError?
    /// Whether there is a file.
    package let hasFile: Bool
    /// The file without the secrets in it; nil where it may stay as it is.
    package let fileWithoutSecrets: String?

    /// Decides.
    ///
    /// - Parameters:
    ///   - file: `marquee.toml`; nil: there is none, and what was applied last stays.
    ///   - applied: what the box kept of the last file that it could read, by `Configuration.appliedText`.
    ///   - isBeside: whether there is a file of this name beside it.
    package init(file: String?, applied: String?, isBeside: (String) -> Bool = { _ in true }) {
        // What the box wrote itself and cannot read any more is as good as nothing.
        let previous = applied.flatMap { try? Configuration($0) } ?? Configuration()
        hasFile = file != nil
        guard let file else {
            (configuration, problem, fileWithoutSecrets) = (previous.withoutVerdicts, nil, nil)
            return
        }
        do throws(ConfigurationError) {
            configuration = try Configuration(file, previous: previous, isBeside: isBeside)
            problem = nil
            fileWithoutSecrets = configuration.keepsSecrets ? nil : SecretWipe.text(of: file, as: configuration)
        } catch {
            (configuration, problem, fileWithoutSecrets) = (previous.withoutVerdicts, error, nil)
        }
    }

    /// Whether the screen has anything to say.
    package var isFlawless: Bool { problem == nil && configuration.problems.isEmpty }

    /// `applied.txt`: what became of every key, in the order of the file, secrets unsaid.
    package var report: String {
        var text = summary + "\n"
        if !configuration.verdicts.isEmpty { text += "\n" + configuration.report }
        return text
    }

    /// One sentence of all of it.
    package var summary: String {
        if let problem { return problem.description }
        guard hasFile else { return "There is no marquee.toml; what was applied last stays in force." }
        let verdicts = configuration.verdicts
        func count(_ outcome: KeyVerdict.Outcome) -> Int { verdicts.count { $0.outcome == outcome } }
        let kept = count(.kept) == 0 ? "" : " \(count(.kept)) kept for a later version."
        return "marquee.toml: \(count(.applied)) applied, \(count(.ignored)) ignored, \(count(.wrong)) wrong.\(kept)"
    }
}

extension Configuration {
    /// The values without what was said of a file, which is another one.
    var withoutVerdicts: Configuration {
        var copy = Configuration()
        copy.take(values)
        return copy
    }
}
