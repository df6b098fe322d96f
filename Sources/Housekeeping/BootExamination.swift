import LinuxSupport
import Supervision
import SystemServices
import WireFormats

/// `marquee doctor --boot`: how long the last start of this box took.
package enum BootExamination {
    private static let unit = "marquee.service"
    private static let managerProperties = [
        "KernelTimestampMonotonic", "InitRDTimestampMonotonic", "UserspaceTimestampMonotonic",
        "UnitsLoadFinishTimestampMonotonic",
        "FinishTimestampMonotonic",
    ]

    /// The report, or a message if this machine has none.
    package static func report(json: Bool) -> String {
        let file = (RuntimeFolder.path ?? "/run/marquee") + "/boot"
        let bytes = WholeFile.read(file)
        let manager = UnitFacts.show([], properties: managerProperties)?.first
        guard bytes != nil || json else {
            return
                "There is no record of a start: \(file) does not exist. This machine does not run the player as its service, or it has not shown a picture yet."
        }
        let stamps = BootStamps(bytes.map { String(decoding: $0, as: UTF8.self) } ?? "")
        let report = BootReport(manager: manager ?? [:], stamps: stamps, chain: manager == nil ? [] : chain())
        return json ? Self.json(report, isBox: bytes != nil).text : report.text
    }

    /// The units that the player waited for: at each step the one that started last.
    private static func chain() -> [BootReport.Link] {
        var links: [BootReport.Link] = []
        var names = [unit]
        let properties = ["Id", "After", "InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic"]
        while links.count < 12 {
            guard let facts = UnitFacts.show(names, properties: properties) else { break }
            let limit = links.last?.start ?? .max
            let found = facts.compactMap { facts -> (link: BootReport.Link, after: [String])? in
                guard let name = facts["Id"], let start = Int64(facts["InactiveExitTimestampMonotonic"] ?? ""), start > 0,
                    let end = Int64(facts["ActiveEnterTimestampMonotonic"] ?? ""), end > 0 || links.isEmpty
                else { return nil }
                let link = BootReport.Link(unit: name, start: start * 1000, end: max(end, start) * 1000)
                return (link, (facts["After"] ?? "").split(separator: " ").map(String.init))
            }
            // Units that started after this one was activated were not waited for.
            guard
                let last = found.filter({ links.isEmpty || $0.link.end <= limit }).max(by: {
                    ($0.link.end, $0.link.unit) < ($1.link.end, $1.link.unit)
                })
            else { break }
            links.append(last.link)
            names = last.after
            if names.isEmpty { break }
        }
        return links
    }

    private static func json(_ report: BootReport, isBox: Bool) -> JSONText {
        func part(_ part: BootReport.Part) -> JSONText {
            .object([
                ("name", .string(part.name)), ("startMilliseconds", .number(BootReport.milliseconds(part.start))),
                ("milliseconds", .number(BootReport.milliseconds(part.length))),
            ])
        }
        return .object([
            ("isBox", .bool(isBox)), ("parts", .array(report.parts.map(part))), ("player", .array(report.steps.map(part))),
            (
                "chain",
                .array(
                    report.chain.map {
                        .object([
                            ("unit", .string($0.unit)), ("startMilliseconds", .number(BootReport.milliseconds($0.start))),
                            ("milliseconds", .number(BootReport.milliseconds($0.end - $0.start))),
                        ])
                    })
            ),
        ])
    }
}
