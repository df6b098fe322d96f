/// A programme of the guide of which the viewer is reminded when it begins. Times are those of `GuideContent`.
package struct Reminder: Sendable, Hashable {
    package let channel: String
    package let programme: GuideContent.Programme

    package init(channel: String, programme: GuideContent.Programme) {
        self.channel = channel
        self.programme = programme
    }

    /// From here on the viewer can be reminded.
    package var dueFrom: Int { programme.start - Timing.reminderLead }

    /// Whether there is still a point in it.
    package func isDue(at time: Int) -> Bool {
        dueFrom <= time && time < min(programme.end, programme.start + Timing.reminderPatience)
    }
}
