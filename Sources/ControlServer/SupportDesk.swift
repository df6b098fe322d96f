import FoundationEssentials
import LinuxSupport
import StatusModel
import SupportBundle

/// Makes support bundles, one at a time. An actor, so that texts are cleaned and compressed off the main loop, which is only asked for
/// one part after the other. Parts that do not come in time are replaced by a sentence, because a box that hangs needs a bundle most.
actor SupportDesk {
    /// The answer to a request for a bundle.
    enum Answer: Sendable {
        /// A `.tar.zst` file.
        case bundle([UInt8])
        /// Another one is being made.
        case busy
        /// One sentence.
        case failed(String)
    }

    private let desk: ControlDesk
    private let screen: ScreenEncoder
    private let machine: MachineReader
    private let sources: SupportSources
    private let limits: ControlLimits
    private var isBusy = false

    init(desk: ControlDesk, screen: ScreenEncoder, machine: MachineReader, sources: SupportSources, limits: ControlLimits) {
        self.desk = desk
        self.screen = screen
        self.machine = machine
        self.sources = sources
        self.limits = limits
    }

    /// Collects the parts and packs them.
    func make() async -> Answer {
        guard !isBusy else { return .busy }
        isBusy = true
        defer { isBusy = false }
        let date = sources.date()
        var bundle = SupportBundle(
            box: sources.box, date: date, dateText: date.map(NowAnswer.text), secrets: sources.secrets)
        let isAnswering = await addStatus(to: &bundle)
        await addLogs(to: &bundle, isAnswering: isAnswering)
        await addMachine(to: &bundle, isAnswering: isAnswering)
        bundle.add(sources.configuration, as: "configuration.toml", "The applied configuration")
        if isAnswering { await addPicture(to: &bundle) }
        do throws(SupportBundleError) {
            return .bundle(try bundle.archive())
        } catch {
            return .failed(error.description)
        }
    }

    /// - Returns: whether the main loop answers.
    private func addStatus(to bundle: inout SupportBundle) async -> Bool {
        let desk = desk
        let now = await onMain { desk.now() }
        bundle.add(json: text(of: now), as: "now.json", "What plays")
        let isAnswering = now != nil
        bundle.add(
            json: text(of: isAnswering ? await onMain { desk.health() } : nil), as: "health.json", "Whether a viewer can watch")
        bundle.add(
            json: text(of: isAnswering ? await onMain { desk.feed() } : nil), as: "feed.json",
            "The feed in use and the verdict on the newest one")
        return isAnswering
    }

    private func addLogs(to bundle: inout SupportBundle, isAnswering: Bool) async {
        let desk = desk
        let lines = limits.logLines
        let log = isAnswering ? await onMain { desk.log(lines).lines } : nil
        bundle.add(log.map { $0.map { $0 + "\n" }.joined() } ?? unanswered, as: "log.txt", "The log of the box")
        for (name, title, areErrors) in [
            ("error-log.txt", "The errors of the last playbacks", true), ("access-log.txt", "The last playbacks", false),
        ] {
            let log = isAnswering ? await onMain { desk.playbackLog(errors: areErrors, session: nil) ?? LazyText { "" } } : nil
            bundle.add(log?.text ?? unanswered, as: name, title)
        }
        let events = isAnswering ? await onMain { desk.metricEvents } : nil
        bundle.add(
            json: events.map { $0.map { EventText.json(MetricAnswer($0)) + "\n" }.joined() } ?? unanswered,
            as: "metric-events.jsonl",
            "The last metric events of playbacks, one on each line")
    }

    private func addMachine(to bundle: inout SupportBundle, isAnswering: Bool) async {
        let desk = desk
        let families = (isAnswering ? await onMain { desk.metrics() } : nil) ?? []
        bundle.add(MetricsText.text(families + (await machine.read()).metrics, .prometheus), as: "metrics.txt", "The metrics")
        let doctor = await RealTime.onPool(within: limits.doctorTime, sources.doctor)
        bundle.add(
            doctor ?? "It did not end within \(limits.doctorTime.components.seconds) s.\n", as: "doctor.txt",
            "What was found on the machine, what is used, and the verdicts on the settings")
    }

    private func addPicture(to bundle: inout SupportBundle) async {
        switch await screen.next(after: nil) {
        case .still(let still): bundle.add(picture: still.jpeg, as: "screen.jpg", "The screen")
        case .unchanged, .unreadable, .crowded: bundle.add("The screen could not be read.\n", as: "screen.txt", "The screen")
        }
    }

    // MARK: -

    private func onMain<Value: Sendable>(_ read: @escaping @MainActor @Sendable () -> Value) async -> Value? {
        await RealTime.onMain(within: limits.healthTime, read)
    }

    private var unanswered: String { "The main loop did not answer within \(limits.healthTime.components.seconds) s.\n" }

    private func text(of value: (some Encodable)?) -> String {
        guard let value else { return unanswered }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? unanswered
    }
}
