import ChannelFeed
import StatusModel
import URLReferences

/// The result of checking one feed, bounded, for operators. A value.
struct FeedCheck: Sendable, Equatable {
    private(set) var verdict: FeedStatus.Verdict
    private(set) var summary: String
    private(set) var findings: [FeedStatus.Finding]
    private(set) var findingCount: Int

    /// The validator's result.
    init(_ result: FeedVerdict) {
        verdict = result.feed == nil ? .refused : result.exitCode == 0 ? .good : .dropped
        summary = result.summary
        findingCount = result.findings.count
        // A feed may have a hundred thousand findings: they are not sorted.
        let most = FeedStatus.mostFindings
        findings = FeedFinding.Severity.allCases.reversed().reduce(into: []) { kept, severity in
            kept += result.findings.lazy.filter { $0.severity == severity }.prefix(most - kept.count).map(FeedStatus.Finding.init)
        }
    }

    /// A feed that was refused before its content was read.
    init(refused sentence: String) {
        verdict = .refused
        summary = Redaction.inText(sentence)
        findings = []
        findingCount = 0
    }
}

extension FeedStatus.Finding {
    init(_ finding: FeedFinding) {
        self.init(
            severity: finding.severity.rawValue, code: finding.code.rawValue, pointer: finding.pointer.description,
            line: finding.location?.line, column: finding.location?.column, message: Redaction.inText(finding.message),
            remedy: Redaction.inText(finding.remedy))
    }
}
