import LinuxSupport
import MediaModel
import MediaTime

/// What a player tells, and the log that is kept of it.
extension Player {
    /// Tells what happened, after the log has heard of it.
    func tell(_ event: PlayerEvent) {
        guard isTold(event) else { return }
        if presentation?.log?.record(event, moment) == true { source?.adaptiveSource?.decoderFallsBehind() }
        onEvent?(event)
        presentation?.log?.announce()
    }

    private var moment: SessionLog.Moment { SessionLog.Moment(isRunning: machine.isRunning, rate: machine.rate) }

    /// Begins the log of an item.
    func beginLog(of item: PlayerItem) {
        session?.keep(SessionLog(of: item, services: services) { [weak self] in self?.onEvent?($0) })
    }

    /// Play goes on from a place that was not come to by playing.
    func beginLogPeriod(at place: MediaTime) { presentation?.log?.beginPeriod(at: place, moment) }

    /// Takes in what a source loads.
    func listen(to source: any MediaSource) {
        source.loggingSource?.onLogEntry = { [weak self] entry in
            guard let self else { return }
            self.presentation?.log?.take(entry, at: self.currentTime)
        }
    }

    /// Something was left out, and play goes on.
    func note(_ error: MediaError, of item: PlayerItem) { presentation?.log?.note(error, of: item) }
}
