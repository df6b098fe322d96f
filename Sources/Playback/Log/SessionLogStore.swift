/// Keeps the logs of what was played: for the operator who must know why a box is bad.
@MainActor
package protocol SessionLogStore: AnyObject {
    /// Keeps the log of a playback that is over.
    func keep(_ log: PlaybackLog)
}
