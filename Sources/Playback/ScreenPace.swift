import LinuxSupport
import MediaTime

/// The pace of sound at which pictures and screen stay in step. A value: shown pictures in, the pace out.
///
/// The clock of a screen and that of a sound card differ by some hundred parts per million, and modes seldom have exactly the rate of a film. Pictures follow the sound,
/// so that every few minutes one would be shown for a blank longer or shorter. If a picture should have a whole number of blanks, the
/// sound is therefore played a little faster or slower, so that each has just that many. Sound that keeps step is not changed, nor is it beside pictures
/// of another rhythm.
///
/// The place of a picture between two blanks is its phase: how far the sound is at the blank at which the picture appears. Where both keep step it is constant.
struct ScreenPace {
    /// Pictures in a row with a constant relation of media time and blanks.
    private struct Window {
        let generation: Int
        let interval: Double
        let first: (time: MediaTime, at: HostTime)
        var last: (time: MediaTime, at: HostTime)
        var count = 1
        var phases: Double

        init(_ record: FrameRecord, _ interval: Double) {
            generation = record.generation
            self.interval = interval
            first = (record.time, record.scheduled)
            last = first
            phases = ScreenPace.phase(of: record)
        }

        mutating func add(_ record: FrameRecord) {
            last = (record.time, record.scheduled)
            count += 1
            phases += ScreenPace.phase(of: record)
        }

        /// In nanoseconds, as all here.
        var length: Double { Double((last.at - first.at).wholeNanoseconds) }
        var phase: Double { phases / Double(count) }
        var middle: HostTime { first.at + .nanoseconds(Int64(length / 2)) }

        /// How much sound would gain on a screen with exactly the rate of its mode, in parts per million, if each picture had a whole number of blanks; nil if
        /// that is no whole number, nor nearly one.
        var gain: Double? {
            guard count > 1 else { return nil }
            let period = Double((last.time - first.time).nanoseconds) / Double(count - 1)
            let blanks = (period / interval).rounded()
            guard blanks >= 1 else { return nil }
            let gain = (blanks * interval / period - 1) * 1_000_000
            return abs(gain) < ScreenPace.largestGain ? gain : nil
        }
    }

    /// How much faster than recorded sound is played, in parts per million; negative is slower.
    private(set) var pace = 0
    /// How much the sound at its own pace gains on the screen, in parts per million; nil as long as it keeps step.
    private var drift: Double?
    private var window: Window?
    /// Windows in a row without a whole number of blanks for each picture.
    private var unequal = 0
    /// The phase of the window before.
    private var phase: Double?
    /// What the phase has changed by, since when, and how fast in the last window; jumps by a whole blank are left out.
    private var measurement: (gained: Double, since: HostTime, rate: Double?)?
    /// Until then what is heard was enqueued at another pace, and nothing is measured.
    private var settled = HostTime.zero

    /// Film on a screen of a thousandth more, and what stamps in milliseconds are wrong by over a window.
    private static let largestGain = 1800.0
    /// Stamps in milliseconds may look like less.
    private static let leastGain = 400.0
    /// The length of a window.
    private static let windowLength = 2e9
    /// Pictures that are dropped make a window unequal, too: it takes so many to stop.
    private static let mostUnequal = 3
    /// The clock follows the sound in steps; a smaller change of the phase is no drift.
    private static let certain = 500_000.0
    /// How long the drift is measured at one pace, or less if it is far from what was measured before, in parts per million.
    private static let lengths = (usual: 8e9, least: 4e9)
    private static let far = 60.0
    /// How much sound a sink holds at most.
    private static let latency = Duration.seconds(3)
    /// The time in which a phase is led back to zero.
    private static let approach = 40e9
    /// A larger change between windows is a jump of the clock.
    private static let jump = 4_000_000.0

    /// Nothing moves, or not at its own rate: what comes next is not compared with what was before.
    mutating func interrupt() {
        window = nil
        phase = nil
        measurement = nil
    }

    /// Takes a picture that was shown during playback at rate 1 with sound.
    ///
    /// - Parameter interval: between two blanks.
    mutating func take(_ record: FrameRecord, interval: Duration) {
        let interval = Double(interval.wholeNanoseconds)
        guard record.isRunning, interval > 0 else { return interrupt() }
        guard var open = window, open.generation == record.generation, open.interval == interval, record.time > open.last.time
        else {
            interrupt()
            window = Window(record, interval)
            return
        }
        open.add(record)
        window = open
        guard open.length >= Self.windowLength else { return }
        window = Window(record, interval)
        close(open)
    }

    private mutating func close(_ window: Window) {
        guard let gain = window.gain else {
            phase = nil
            measurement = nil
            unequal += 1
            if unequal >= Self.mostUnequal { (pace, drift) = (0, nil) }
            return
        }
        unequal = 0
        guard window.first.at >= settled else { return }
        if drift == nil, abs(gain) >= Self.leastGain { return adjust(drift: gain, window) }
        let change = phase.map { (window.phase - $0).remainder(dividingBy: window.interval) }
        phase = window.phase
        guard let change, abs(change) < Self.jump, let before = measurement else {
            measurement = (0, window.middle, nil)
            return
        }
        let gained = before.gained + change
        let length = Double((window.middle - before.since).wholeNanoseconds)
        let latest = change / window.length * 1_000_000
        measurement = (gained, before.since, latest)
        if let drift {
            let news = gained / length * 1_000_000 - Double(pace) - drift
            if abs(news) >= Self.far, length >= Self.lengths.least {
                adjust(drift: drift + news, window)
            } else if length >= Self.lengths.usual {
                // A measurement may have been disturbed.
                adjust(drift: drift + news / 2, window)
            }
        } else if abs(gained) >= Self.certain, let earlier = before.rate, abs(latest - earlier) < abs(latest) / 4 {
            // The clock begins to follow the sound only once it is a millisecond away.
            adjust(drift: latest - Double(pace), window)
        }
    }

    private mutating func adjust(drift: Double, _ window: Window) {
        let most = Double(PacedSound.limit)
        let drift = min(max(drift, -most), most)
        self.drift = drift
        pace = Int(min(max(-drift - window.phase / Self.approach * 1_000_000, -most), most).rounded())
        settled = window.last.at + Self.latency
        phase = nil
        measurement = nil
    }

    /// How far the sound is at the blank at which a picture appears, from the beginning of the picture.
    private static func phase(of record: FrameRecord) -> Double {
        // A flip that was late says nothing of the clocks.
        Double((record.mediaTimeAtFlip - record.time).nanoseconds - (record.flip - record.scheduled).wholeNanoseconds)
    }
}
