import MarqueePlayback

/// Chooses between the sound tracks: by languages, and by hand.
@MainActor
func selectMedia(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let player = try Player(engines: engines)
    let item = PlayerItem(asset: Asset(url: film, engines: engines))
    item.setPreferredLanguages(["fr", "en"], for: .audible)
    player.replaceCurrentItem(with: item)
    await player.seek(to: .zero)
    guard let group = item.mediaSelectionGroup(for: .audible) else { return say("it has no sound") }
    func language(_ option: MediaSelectionOption?) -> String { option?.extendedLanguageTag ?? "none" }

    say("there are \(group.options.map(language).joined(separator: ", "))")
    say("preferred: \(language(item.selectedOption(for: .audible)))")
    item.select(group.options.first { $0.extendedLanguageTag == "en" }, in: group)
    say("selected: \(language(item.selectedOption(for: .audible)))")
    item.selectAutomatically(in: group)
    say("preferred again: \(language(item.selectedOption(for: .audible)))")
    say("silence can be selected: \(item.select(nil, in: group))")
}
