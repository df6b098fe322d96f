import LinuxSupport
import MediaModel
import MediaTime

extension ALSAExchange.Report {
    /// The position of playback at an instant, by this report (the contract of `AudioSink.timing`).
    ///
    /// - Parameters:
    ///   - anchor: `nanoseconds` on the clock of `now`.
    ///   - flushed: the frame at which counting starts.
    ///   - isPlaying: whether the last order was to play.
    func timing(at now: HostTime, anchor: HostTime, flushed: Int, isPlaying: Bool, sampleRate: Int) -> AudioTiming? {
        guard frame >= flushed else { return nil }
        let isOnItsWay = end > frame
        var heard = frame
        if isOnItsWay, now > anchor {
            let elapsed = MediaTime.nanoseconds((now - anchor).wholeNanoseconds).unitsRoundedDown(of: Int32(sampleRate))
            heard = min(frame + Int(elapsed), end)
        }
        let isRunning = isPlaying && isOnItsWay && now >= anchor && heard < end
        guard isRunning || heard > flushed else { return nil }
        // Use the exact instant of that whole frame if it is known, so that fractions of a frame do not look like drift.
        var host = now
        if isOnItsWay { host = anchor + .nanoseconds(MediaTime(Int64(heard - frame), Int32(sampleRate)).nanoseconds) }
        return AudioTiming(frame: Int64(heard - flushed), hostTime: host, isRunning: isRunning, underruns: underruns)
    }
}
