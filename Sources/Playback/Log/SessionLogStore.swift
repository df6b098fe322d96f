/// Stores the logs of playbacks, for operators who diagnose a box.
@MainActor
package protocol SessionLogStore: AnyObject {
    /// Stores the log of an ended playback.
    func keep(_ log: PlaybackLog)
}
