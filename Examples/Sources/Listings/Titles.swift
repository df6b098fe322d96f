import MarqueePlayback

/// Finds the title of a film in the language of its viewer.
@MainActor
func findTitles(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let asset = Asset(url: film, engines: engines)
    let titles = try await asset.load(.metadata).filtered(by: .commonTitle)
    for languages in [["en"], ["fr", "en"], ["ja"]] {
        guard let best = titles.sorted(byPreferredLanguages: languages).first else { continue }
        say("for \(languages.joined(separator: ", ")): \(best.stringValue ?? "") (\(best.extendedLanguageTag ?? "no language"))")
    }
}
