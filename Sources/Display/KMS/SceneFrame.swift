import LinuxSupport
import MediaModel

/// A scene on its way to the screen.
struct SceneFrame: Sendable {
    var scene: VisibleScene
    var target: HostTime
    var pictures: [PlanePicture] = []
    var preparedLayers: FramePreparer.PreparedLayers = [:]
    /// Commits the same scene again, only to read back the screen.
    var isRepeat = false
    /// When to stop retrying a busy commit.
    var giveUp: HostTime?

    init(_ scene: VisibleScene, target: HostTime, isRepeat: Bool = false) {
        self.scene = scene
        self.target = target
        self.isRepeat = isRepeat
    }

    /// The frame with what the planes show of it.
    func with(_ pictures: [PlanePicture], _ layers: FramePreparer.PreparedLayers) -> SceneFrame {
        var frame = self
        (frame.pictures, frame.preparedLayers) = (pictures, layers)
        return frame
    }
}

/// What the screen shows.
struct OnScreen {
    /// Its memory is held until the flip that replaces it; nil: nothing of ours.
    var frame: SceneFrame?
    /// When it was first shown.
    var time: HostTime
    /// Counts the scenes that were shown.
    var serial: UInt64 = 0
}

/// The scene behind the one that is committed: while that one waits for its flip, the source is asked for the next, and the CPU prepares it.
///
/// It is done for video that takes the CPU a good part of the time from one blank to the next. A picture that takes longer than usual is then not late; the answer
/// to a key comes up to one blank later.
enum FrameAhead {
    /// The source has not been asked.
    case notAsked
    /// It had nothing.
    case nothing
    /// The CPU is preparing it.
    case preparing(SceneFrame, job: UInt64)
    case ready(SceneFrame)
    /// It could not be prepared, so that the source is asked again.
    case failed

    /// What has become of a start.
    init(_ start: ScenePreparation.Start, of frame: SceneFrame) {
        switch start {
        case .ready(let pictures, let layers): self = .ready(frame.with(pictures, layers))
        case .pending(let job): self = .preparing(frame, job: job)
        case .failed, .unfit: self = .failed
        }
    }

    /// The CPU has finished a job.
    ///
    /// - Returns: false for a job of another scene.
    mutating func take(_ prepared: KMSLink.Prepared) -> Bool {
        guard case .preparing(let frame, prepared.job) = self else { return false }
        self = (try? prepared.result.get()).map { .ready(frame.with($0.pictures, $0.layers)) } ?? .failed
        return true
    }
}
