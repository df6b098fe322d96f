import ChannelFeed
import Testing

@testable import FeedConversion

/// Converts a text.
func convert(
    _ text: String, _ kind: SourceKind? = nil, base: String? = nil, allowing hosts: Set<String> = [], guide: SourceGuide? = nil
)
    -> ConversionResult
{
    var options = ConversionOptions()
    options.kind = kind
    options.baseURL = base
    options.plainHTTPHosts = hosts
    options.guide = guide
    return FeedConverter.convert(Array(text.utf8), options: options)
}

/// The feed of a conversion as a box reads it: without an error.
func feed(_ result: ConversionResult, allowing hosts: Set<String> = []) throws -> Feed {
    let text = try #require(result.feed, "\(result.text())")
    let verdict = FeedReader.read(Array(text.utf8), baseURL: "", options: FeedOptions(plainHTTPHosts: hosts))
    #expect(verdict.findings.filter { $0.severity > .warning }.isEmpty, "\(verdict.text())")
    return try #require(verdict.feed)
}

extension ConversionResult {
    /// `SEVERITY PLACE` of each finding, in order.
    var places: [String] { findings.map { "\($0.severity) \($0.place)" } }
}
