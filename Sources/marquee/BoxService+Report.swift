import Appliance
import ChannelFeed
import LinuxSupport
import MediaModel

extension BoxService {
    /// What the box says of itself to its operator.
    func makeReport() -> BoxReport {
        var report = BoxReport(box: configuration.name(serial: serial))
        report.group = configuration.group
        report.date = box.wallClock()?.description
        report.playerUptime = clock.now - HostTime.zero
        report.isMetered = box.isMetered()
        report.screen = "\(box.display.name) \(box.display.mode)"
        report.sound = box.player.services.sink.name
        report.feed = feedInUse.map { ($0.id, $0.revision) }
        report.feedTrouble = troubleCode
        report.state = box.appliance.nowPlaying.state.rawValue
        report.playback = box.tally.sum(with: box.appliance.currentLog)
        return report
    }

    /// The sender of reports, where the settings name somebody to send them to.
    func makeReportSender() -> ReportSender? {
        guard let address = configuration.reportURL else { return nil }
        guard FeedFile.isLetIn(address, plainHTTPHosts: configuration.plainHTTPHosts) else {
            box.log.note("report: nothing is sent, because report.url is plain http and its host is not in [feed] allow_http")
            return nil
        }
        let sender = ReportSender(
            address: address, interval: configuration.reportInterval, headers: configuration.identityHeaders(serial: serial),
            loader: box.loader, clock: clock, log: box.log, stateFolder: stateFolder, seed: seed)
        sender.describe = { [weak self] in self?.makeReport() ?? BoxReport(box: "") }
        sender.isBusy = { [weak self] in
            switch self?.box.appliance.nowPlaying.state {
            case .loading, .buffering: true
            default: false
            }
        }
        return sender
    }
}
