import LinuxSupport
import MediaModel
import MediaTime

/// The frame that an exact device plays at an instant: a value, shared by the sinks without hardware.
///
/// It plays queued frames at the nominal rate from the instant at which it was told to. When the queue is empty it stops (silence
/// is heard, frames are not counted), and it continues with the next frame that is queued.
struct FrameCounter {
    let sampleRate: Int
    /// Frames queued since the last flush.
    private(set) var enqueued: Int64 = 0
    private(set) var underruns = 0
    /// Frame `frame` is heard at `host`, when running.
    private var anchor: (frame: Int64, host: HostTime)?
    private var pausedFrame: Int64 = 0
    private var hasBeenHeard = false

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// The first frame that has not been heard at an instant.
    func frame(at instant: HostTime) -> Int64 {
        guard let anchor else { return pausedFrame }
        guard instant > anchor.host else { return anchor.frame }
        let elapsed = MediaTime.nanoseconds((instant - anchor.host).wholeNanoseconds).unitsRoundedDown(of: Int32(sampleRate))
        return min(anchor.frame + elapsed, enqueued)
    }

    /// Whether frames are being heard.
    func isRunning(at instant: HostTime) -> Bool { anchor.map { instant >= $0.host } ?? false && frame(at: instant) < enqueued }

    /// The frame and instant at which playback last started; a recorder places its samples by it.
    var start: (frame: Int64, host: HostTime)? { anchor }

    mutating func enqueue(_ frames: Int, at instant: HostTime) {
        if anchor != nil, instant > anchor!.host, frame(at: instant) == enqueued {
            if hasBeenHeard { underruns += 1 }
            anchor = (enqueued, instant)
        }
        enqueued += Int64(frames)
        hasBeenHeard = true
    }

    mutating func play(at instant: HostTime, now: HostTime) { anchor = (frame(at: now), max(instant, now)) }

    mutating func pause(at instant: HostTime) {
        pausedFrame = frame(at: instant)
        anchor = nil
    }

    mutating func flush(at instant: HostTime) {
        let wasRunning = anchor != nil
        enqueued = 0
        pausedFrame = 0
        hasBeenHeard = false
        anchor = wasRunning ? (0, instant) : nil
    }

    func timing(at instant: HostTime) -> AudioTiming? {
        guard anchor != nil || pausedFrame > 0 else { return nil }
        if let anchor, instant < anchor.host {
            return pausedFrame > 0 || anchor.frame > 0
                ? AudioTiming(frame: anchor.frame, hostTime: anchor.host, isRunning: false, underruns: underruns) : nil
        }
        // The exact instant at which that whole frame began, so that fractions of a frame do not look like drift.
        let frame = frame(at: instant)
        var host = instant
        if let anchor, frame < enqueued {
            host = anchor.host + .nanoseconds(MediaTime(frame - anchor.frame, Int32(sampleRate)).nanoseconds)
        }
        return AudioTiming(frame: frame, hostTime: host, isRunning: isRunning(at: instant), underruns: underruns)
    }
}
