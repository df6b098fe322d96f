import MediaTime

/// The feed in use and the check of the newest one, for operators.
package struct FeedStatus: Sendable, Equatable {
    /// The result of a check.
    package enum Verdict: String, Sendable, CaseIterable {
        /// Nothing was checked yet.
        case unknown
        case good
        /// Some elements were dropped.
        case dropped
        /// The whole feed was refused; the last good one stays in use.
        case refused
    }
    /// One finding of the check, with the words of `marquee feed check`.
    package struct Finding: Sendable, Equatable {
        package var severity: String
        package var code: String
        /// A JSON pointer.
        package var pointer: String
        package var line: Int?
        package var column: Int?
        package var message: String
        package var remedy: String

        package init(
            severity: String, code: String, pointer: String, line: Int? = nil, column: Int? = nil, message: String, remedy: String
        ) {
            self.severity = severity
            self.code = code
            self.pointer = pointer
            self.line = line
            self.column = column
            self.message = message
            self.remedy = remedy
        }
    }
    /// The most findings that are kept, the severest first.
    package static let mostFindings = 100

    /// The address of the configured source, without secrets; nil if there is none.
    package var source: String?
    /// Of the feed in use.
    package var id: String?
    package var revision: Int64?
    /// The name of its provider.
    package var title: String?
    /// When the operator wrote it, as a date of ISO 8601.
    package var lastUpdated: String?
    /// What can be opened of it at some time.
    package var channelCount = 0
    package var seriesCount = 0
    package var itemCount = 0
    package var verdict = Verdict.unknown
    /// One sentence about the check.
    package var summary: String?
    /// The code of the error or rule that keeps a newer feed from being used.
    package var trouble: String?
    /// At most `mostFindings`.
    package var findings: [Finding] = []
    /// The number of all findings.
    package var findingCount = 0

    package init() {}
}

/// The lists of a feed.
package enum LibraryKind: String, Sendable, CaseIterable { case channels, items, series }

/// Which part of the library is wanted.
package struct LibraryQuery: Sendable, Equatable {
    package var kind: LibraryKind
    /// With `items`: only the episodes of this series.
    package var series: String?
    package var offset: Int
    package var limit: Int

    package init(kind: LibraryKind, series: String? = nil, offset: Int, limit: Int) {
        self.kind = kind
        self.series = series
        self.offset = offset
        self.limit = limit
    }
}

/// A part of what can be opened.
package struct LibraryPage: Sendable, Equatable {
    /// A channel, item or series.
    package struct Entry: Sendable, Equatable {
        package var id: String
        package var title: String
        package var subtitle: String?
        /// The number of a channel.
        package var number: Int?
        /// The address of its picture, without secrets.
        package var artworkURL: String?
        /// Whether the box can show its picture. That of a locked entry would reveal what the PIN protects.
        package var hasPicture = false
        package var duration: MediaTime?
        /// The watched part in percent; nil if it was not started.
        package var watchedPercent: Int?
        /// Whether it needs the PIN.
        package var isLocked = false

        package init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }
    /// The number of entries of the whole list.
    package var total = 0
    package var entries: [Entry] = []

    package init(total: Int = 0, entries: [Entry] = []) {
        self.total = total
        self.entries = entries
    }
}

/// Whether the box does its work. A value that is made from what is wrong.
package struct BoxHealth: Sendable, Equatable {
    /// One word for monitoring.
    package enum Word: String, Sendable, CaseIterable {
        case ok
        /// The box is in standby.
        case standby
        /// It plays, but an operator should look.
        case degraded
        /// A viewer cannot watch.
        case failing
    }
    /// What is wrong.
    package enum Fault: Sendable, Equatable {
        case screenLost
        case noChannels
        case safeMode
        case noSound
        /// With the code of the error or rule.
        case feedNotCurrent(String)
        /// The date was never set.
        case dateUnknown
        case storageFull
        /// Of the programmes that are stored.
        case storageUnusable
        /// The disk refuses what the box keeps of its viewers; it is tried again.
        case libraryNotStored

        /// A word for programs.
        package var name: String {
            switch self {
            case .screenLost: "screenLost"
            case .noChannels: "noChannels"
            case .safeMode: "safeMode"
            case .noSound: "noSound"
            case .feedNotCurrent: "feedNotCurrent"
            case .dateUnknown: "dateUnknown"
            case .storageFull: "storageFull"
            case .storageUnusable: "storageUnusable"
            case .libraryNotStored: "libraryNotStored"
            }
        }

        /// Whether a viewer cannot watch because of it.
        var preventsWatching: Bool {
            switch self {
            case .screenLost, .noChannels, .safeMode: true
            case .noSound, .feedNotCurrent, .dateUnknown, .storageFull, .storageUnusable, .libraryNotStored: false
            }
        }

        /// Whether a box in standby has it too. A television that is switched off is not there either.
        var isThereInStandby: Bool { self != .screenLost }

        /// One sentence.
        package var sentence: String {
            switch self {
            case .screenLost: "The screen is not connected."
            case .noChannels: "There are no channels."
            case .safeMode: "The box is in safe mode after repeated crashes."
            case .noSound: "No sound device could be opened."
            case .feedNotCurrent(let code): "The newest feed is not used (\(code))."
            case .dateUnknown: "The date is not known, because no time server has answered."
            case .storageFull: "There is no room for downloads."
            case .storageUnusable: "Downloads can be neither stored nor read."
            case .libraryNotStored:
                "Places and settings of viewers cannot be stored; a power cut would lose their changes. The disk may be full."
            }
        }
    }
    package let faults: [Fault]
    /// Completed page flips since the player was started.
    package let flips: UInt64
    private let isInStandby: Bool

    /// - Parameter faults: what is wrong, also what does not matter in standby.
    package init(faults: [Fault] = [], flips: UInt64 = 0, isInStandby: Bool = false) {
        self.faults = isInStandby ? faults.filter(\.isThereInStandby) : faults
        self.flips = flips
        self.isInStandby = isInStandby
    }

    package var word: Word {
        if isInStandby { return .standby }
        if faults.contains(where: \.preventsWatching) { return .failing }
        return faults.isEmpty ? .ok : .degraded
    }
}

/// One metric with its samples, as OpenMetrics defines them.
package struct MetricFamily: Sendable, Equatable {
    /// The type of a metric.
    package enum Kind: Sendable, Equatable {
        /// Only grows while the process lives.
        case counter
        case gauge
        /// Its labels are the information, and its value is 1.
        case info
        /// The sum and the number of observations, of which both only grow.
        case summary
    }
    /// A value with its labels.
    package struct Sample: Sendable, Equatable {
        package var labels: [Label]
        /// Of a summary the sum.
        package var value: Double
        /// Of a summary the number of observations.
        package var count: Int

        package init(_ value: Double, count: Int = 0, labels: [Label] = []) {
            self.labels = labels
            self.value = value
            self.count = count
        }
    }
    /// A label with any text as value.
    package struct Label: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The name without the suffix of the type; it ends with the unit.
    package let name: String
    package let kind: Kind
    /// A base unit: `seconds`, `bytes`, `celsius`; nil for counts.
    package let unit: String?
    /// One sentence.
    package let help: String
    package let samples: [Sample]

    package init(_ name: String, _ kind: Kind, unit: String? = nil, help: String, samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
        self.samples = samples
    }

    package init(_ name: String, _ kind: Kind, unit: String? = nil, help: String, _ value: Double) {
        self.init(name, kind, unit: unit, help: help, samples: [Sample(value)])
    }
}
