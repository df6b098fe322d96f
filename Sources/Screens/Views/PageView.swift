import MediaModel

/// A page on the screen.
package enum PageView: Sendable, Equatable {
    case settings(SettingsView)
    case search(SearchView)
    case guide(GuideView)
    case channels(ChannelListView)
    case delay(DelayView)
    case programme(ProgrammeView)
    case series(SeriesView)
    case passphrase(PassphraseView)
    case testPicture(TestPictureView)

    /// What all pages say of themselves.
    package var content: any PageContent {
        switch self {
        case .settings(let view): view
        case .search(let view): view
        case .guide(let view): view
        case .channels(let view): view
        case .delay(let view): view
        case .programme(let view): view
        case .series(let view): view
        case .passphrase(let view): view
        case .testPicture(let view): view
        }
    }

    package var name: String { type(of: content).name }
    package var hidesPicture: Bool { type(of: content).hidesPicture }
}

extension PageView: DumpWritable {
    package var dumpValue: DumpValue { .tagged(name, content.dumpValue) }
}
