import MediaModel
import StatusModel

/// An output of sound.
struct OutputAnswer: Encodable, Sendable {
    /// For `selectOutput`.
    var id: String
    var kind: String
    /// With its number where another one has the same; left out where only the kind is known.
    var name: String?

    init(_ output: SoundPort) {
        (id, kind) = (output.id, output.kind.rawValue)
        name = output.name.isEmpty ? nil : output.number > 1 ? "\(output.name) \(output.number)" : output.name
    }
}

/// The outputs of sound.
struct OutputsAnswer: Encodable, Sendable {
    /// Those that are there now.
    var available: [OutputAnswer]
    /// The id of the chosen one, which need not be there; left out where the machine takes one by itself.
    var chosen: String?
    var currentRoute: OutputAnswer?
    /// The one that `audio.output` sets; none can be chosen then.
    var fixed: OutputAnswer?

    init(_ route: SoundRoute, chosen: String?) {
        available = route.outputs.map(OutputAnswer.init)
        self.chosen = chosen
        currentRoute = route.current.map(OutputAnswer.init)
        fixed = route.fixed.map(OutputAnswer.init)
    }
}

extension BoxDescription {
    /// The metric of the output in use.
    var routeMetrics: [MetricFamily] {
        guard let output = route?.current else { return [] }
        return [
            MetricFamily(
                "marquee_sound_route", .info, help: "The output that sound goes to.",
                samples: [.init(1, labels: [.init("id", output.id), .init("kind", output.kind.rawValue)])])
        ]
    }
}
