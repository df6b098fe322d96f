/// The configuration of a box, decided from the file on its firmware partition and the last applied values. Computed from texts
/// alone.
package struct Provisioning: Sendable {
    /// The applied configuration.
    package let configuration: Configuration
    /// Why nothing in the file is applied; nil when it could be read.
    package let problem: ConfigurationError?
    /// Whether there is a file.
    package let hasFile: Bool
    /// The file without its secrets; nil when it may stay unchanged.
    package let fileWithoutSecrets: String?

    /// Decides.
    ///
    /// - Parameters:
    ///   - file: `marquee.toml`; nil: there is none, and the last applied values stay.
    ///   - applied: the stored values of the last readable file, from `Configuration.appliedText`.
    ///   - isBeside: whether a file of this name is next to it.
    package init(file: String?, applied: String?, isBeside: (String) -> Bool = { _ in true }) {
        // A stored text that the box cannot read any more is ignored.
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

    /// The same with what a trial of the files beside it found: sentences about keys that cannot be used as written (`Configuration.refusing`).
    package func refusing(_ remarks: [String]) -> Provisioning {
        Provisioning(
            configuration: configuration.refusing(remarks), problem: problem, hasFile: hasFile,
            fileWithoutSecrets: fileWithoutSecrets)
    }

    /// The same with the settings of a document in place of those of the file; nil: none.
    package func replacing(by document: SettingsDocument?) -> Provisioning {
        guard let document else { return self }
        return Provisioning(
            configuration: configuration.replacing(document.values), problem: problem, hasFile: hasFile,
            fileWithoutSecrets: fileWithoutSecrets)
    }

    /// The same with the settings that a viewer has adopted, over those of the file. A copied feed has no signature: it stands without what the file says of
    /// feeds.
    package func adopting(_ adopted: Configuration) -> Provisioning {
        // The operator's headers may be secrets, which are for the operator's server.
        var own = configuration.leavingOut("feed.headers")
        if adopted.feedFile != nil { own = own.leavingOut("feed.") }
        return Provisioning(
            configuration: own.replacing(adopted.values), problem: problem, hasFile: true,
            fileWithoutSecrets: fileWithoutSecrets)
    }

    private init(configuration: Configuration, problem: ConfigurationError?, hasFile: Bool, fileWithoutSecrets: String?) {
        self.configuration = configuration
        self.problem = problem
        self.hasFile = hasFile
        self.fileWithoutSecrets = fileWithoutSecrets
    }

    /// Whether there is nothing to report on the screen.
    package var isFlawless: Bool { problem == nil && configuration.problems.isEmpty }

    /// `applied.txt`: the verdict on every key, in the order of the file, without secrets.
    package var report: String {
        var text = summary + "\n"
        if !configuration.verdicts.isEmpty { text += "\n" + configuration.report }
        return text
    }

    /// A summary in one sentence.
    package var summary: String {
        if let problem { return problem.description }
        guard hasFile else { return "There is no marquee.toml; the settings that were applied last stay in use." }
        let verdicts = configuration.verdicts
        func count(_ outcome: KeyVerdict.Outcome) -> Int { verdicts.count { $0.outcome == outcome } }
        return "marquee.toml: \(count(.applied)) applied, \(count(.ignored)) ignored, \(count(.wrong)) wrong."
    }
}

extension Configuration {
    /// Other values for some keys, with the verdicts on the file.
    func replacing(_ others: [String: Value]) -> Configuration {
        var copy = self
        copy.take(values.merging(others) { $1 })
        return copy
    }

    /// The values without those of keys that begin so.
    func leavingOut(_ beginning: String) -> Configuration {
        var copy = self
        copy.take(values.filter { !$0.key.hasPrefix(beginning) })
        return copy
    }

    /// The values without the verdicts, which belong to another file.
    var withoutVerdicts: Configuration {
        var copy = Configuration()
        copy.take(values)
        return copy
    }
}
