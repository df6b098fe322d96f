import ChannelFeed
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import StatusModel
import URLReferences

/// The lines of the documents that overlays show. A document is fetched again while it is shown. When it cannot be fetched or read, its last good lines stay, also
/// for the next item that shows it. Main loop only.
@MainActor
final class OverlayDocuments {
    /// What is known of a document.
    private struct Known {
        var lines: [LocalizedText]
        /// The header lines with which its server is asked whether it has changed.
        var condition: [String]
        var checked: HostTime
    }
    /// A document that is shown.
    private struct Followed {
        var interval: Duration
        var request: (any ByteTask)?
        var timer: ScheduledEvent?
    }

    /// Called when lines have changed.
    var onChange: (@MainActor () -> Void)?
    private var known: [String: Known] = [:]
    private var followed: [String: Followed] = [:]
    /// Documents that could not be had when they were asked for last: the log says it once.
    private var failing: Set<String> = []
    private let clock: any HostClock
    private let loader: any ByteLoading
    private let log: LogBook

    /// Documents that are not shown are forgotten beyond this number.
    private static let most = 32

    init(_ parts: ApplianceParts) { (clock, loader, log) = (parts.clock, parts.services.loader, parts.log) }

    /// The lines of each document.
    var lines: [String: [LocalizedText]] { known.mapValues(\.lines) }

    /// Fetches the documents of these overlays from now on, and no others.
    func follow(_ overlays: [ScreenOverlay]) {
        var wanted: [String: Duration] = [:]
        for overlay in overlays {
            guard case .document(let url, let refresh)? = overlay.words?.source else { continue }
            let interval = Duration.nanoseconds(refresh.nanoseconds)
            wanted[url] = min(wanted[url] ?? interval, interval)
        }
        for (url, document) in followed.sorted(by: { $0.key < $1.key }) where wanted[url] == nil {
            document.request?.cancel()
            document.timer?.cancel()
            followed[url] = nil
        }
        for (url, interval) in wanted.sorted(by: { $0.key < $1.key }) where followed[url]?.interval != interval {
            followed[url, default: Followed(interval: interval)].interval = interval
            schedule(url, at: known[url].map { max($0.checked + interval, clock.now) } ?? clock.now)
        }
    }

    private func schedule(_ url: String, at instant: HostTime) {
        followed[url]?.timer?.cancel()
        followed[url]?.timer = clock.schedule(at: instant, rank: .timer) { [weak self] in self?.fetch(url) }
    }

    private func fetch(_ url: String) {
        guard let document = followed[url], document.request == nil else { return }
        let request = ByteRequest(url: url, kind: .document, headers: known[url]?.condition ?? [])
        followed[url]?.request = loader.load(request) { [weak self] result in
            guard let self, let document = self.followed[url] else { return }
            self.followed[url]?.request = nil
            self.schedule(url, at: self.clock.now + document.interval)
            switch result {
            case .failure(let error): self.fail(url, error.sentence)
            case .success(let response): self.take(response, of: url)
            }
        }
    }

    private func take(_ response: ByteResponse, of url: String) {
        let old = known[url]
        if response.status == 304, old != nil {
            known[url]?.checked = clock.now
            return isGood(url)
        }
        do throws(OverlayDocument.Refusal) {
            let lines = try OverlayDocument.lines(in: response.bytes)
            known[url] = Known(lines: lines, condition: response.condition, checked: clock.now)
            forgetOldest()
            isGood(url)
            if lines != old?.lines { onChange?() }
        } catch {
            fail(url, "Reading \(Redaction.withoutSecrets(url)) failed: \(error.reason).")
        }
    }

    private func isGood(_ url: String) {
        if failing.remove(url) != nil { log.note("overlay: \(Redaction.withoutSecrets(url)) can be read again") }
    }

    private func fail(_ url: String, _ sentence: String) {
        guard failing.insert(url).inserted else { return }
        let what = known[url] == nil ? "nothing is shown" : "the last good lines stay"
        log.note("overlay: \(what). \(sentence)", .warning)
    }

    private func forgetOldest() {
        while known.count > Self.most {
            let hidden = known.filter { followed[$0.key] == nil }
            guard let oldest = hidden.min(by: { ($0.value.checked, $0.key) < ($1.value.checked, $1.key) }) else { return }
            known[oldest.key] = nil
            failing.remove(oldest.key)
        }
    }
}
