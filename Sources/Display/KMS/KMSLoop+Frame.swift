import LinuxSupport
import MediaModel

extension KMSLoop {
    /// A scene on its way to the screen.
    struct Frame {
        var scene: VisibleScene
        var target: HostTime
        var pictures: [PlanePicture] = []
        var preparedLayers: FramePreparer.PreparedLayers = [:]
        /// Commits the same scene again, only to read back the screen.
        var isRepeat = false
        /// When to stop retrying a busy commit.
        var giveUp: HostTime?
    }

    /// What the screen shows.
    struct OnScreen {
        /// Its memory is held until the flip that replaces it; nil: nothing of ours.
        var frame: Frame?
        /// When it was first shown.
        var time: HostTime
        /// Counts the scenes that were shown.
        var serial: UInt64 = 0
    }
}
