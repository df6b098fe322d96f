/// A programme of the guide of which the viewer is reminded when it begins. Times are those of `GuideContent`.
struct Reminder: Sendable, Hashable {
    let channel: String
    let programme: GuideContent.Programme

    /// From here on the viewer can be reminded.
    var dueFrom: Int { programme.start - Timing.reminderLead }

    /// Whether there is still a point in it.
    func isDue(at time: Int) -> Bool {
        dueFrom <= time && time < min(programme.end, programme.start + Timing.reminderPatience)
    }
}
