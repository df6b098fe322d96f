import LinuxSupport
import MediaModel

/// The handling of one event by the item: what it goes by besides its own state, and what comes of it.
struct ViewingTurn: Sendable {
    let now: HostTime
    let policy: InterfacePolicy
    let strings: StringCatalogue
    /// What goes on from one item to the next.
    var session: ViewingSession
    /// What is to be done, in order.
    var effects: [InterfaceEffect] = []
    /// What a refused key says; nil: nothing.
    var refusal: String?
}

extension InterfaceMachine {
    /// Lets the item handle something, and takes over what comes of it.
    mutating func view<Result>(_ body: (inout Viewing, inout ViewingTurn) -> Result) -> Result {
        var turn = ViewingTurn(now: now, policy: policy, strings: strings, session: session)
        let result = body(&viewing, &turn)
        session = turn.session
        effects += turn.effects
        if let refusal = turn.refusal { messages.refuse(refusal, at: now) }
        return result
    }
}
