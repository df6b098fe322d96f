import StatusModel

/// Writes metrics as text, in OpenMetrics 1.0 or in the older format of Prometheus (0.0.4), which differ in the names of counters.
enum MetricsText {
    enum Format: Sendable {
        case openMetrics
        case prometheus

        /// - Parameter accept: the request's `Accept`: a Prometheus server names OpenMetrics, other clients do not.
        init(accept: String?) { self = accept?.contains("application/openmetrics-text") == true ? .openMetrics : .prometheus }

        var mediaType: String {
            switch self {
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            }
        }
    }

    /// Every sample has the labels of `marquee_box_info` by which a fleet tells boxes apart: its name and its group.
    static func text(_ families: [MetricFamily], _ format: Format) -> String {
        let box = families.first { $0.name == "marquee_box" }?.samples.first?.labels ?? []
        let identity = box.filter { $0.name == "box" || $0.name == "group" }
        return families.map { text($0, identity, format) }.joined() + (format == .openMetrics ? "# EOF\n" : "")
    }

    private static func text(_ family: MetricFamily, _ identity: [MetricFamily.Label], _ format: Format) -> String {
        let suffix = suffix(family.kind)
        let name = family.name + (format == .openMetrics || family.kind == .summary ? "" : suffix)
        var text = "# TYPE \(name) \(word(family.kind, format))\n"
        if format == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(escaped(family.help))\n"
        for sample in family.samples {
            let own = sample.labels.filter { label in !identity.contains { $0.name == label.name } }
            var labels = (identity + own).map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
            if !labels.isEmpty { labels = "{\(labels)}" }
            text += "\(family.name)\(suffix)\(labels) \(number(sample.value))\n"
            if family.kind == .summary { text += "\(family.name)_count\(labels) \(sample.count)\n" }
        }
        return text
    }

    private static func suffix(_ kind: MetricFamily.Kind) -> String {
        switch kind {
        case .counter: "_total"
        case .gauge: ""
        case .info: "_info"
        case .summary: "_sum"
        }
    }

    private static func word(_ kind: MetricFamily.Kind, _ format: Format) -> String {
        switch (kind, format) {
        case (.counter, _): "counter"
        case (.summary, _): "summary"
        case (.gauge, _), (.info, .prometheus): "gauge"
        case (.info, .openMetrics): "info"
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
