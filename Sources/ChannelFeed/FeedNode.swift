/// One value of the document on its way down, with the way back up.
///
/// The pointer is made only where something is to be said of the value: a good feed never pays for it.
struct FeedNode {
    /// The last step of the way; steps are shared between siblings.
    final class Step: Sendable {
        let parent: Step?
        let token: String

        init(parent: Step?, token: String) {
            self.parent = parent
            self.token = token
        }
    }

    let json: JSONNode
    let step: Step?

    /// The key or index by which the value was reached; empty for the document.
    var name: String { step?.token ?? "" }

    var pointer: JSONPointer {
        var tokens: [String] = []
        var step = self.step
        while let current = step {
            tokens.append(current.token)
            step = current.parent
        }
        return JSONPointer(tokens.reversed())
    }

    func child(_ json: JSONNode, _ token: String) -> FeedNode { FeedNode(json: json, step: Step(parent: step, token: token)) }
}

/// An object of the document whose keys were checked.
struct FeedObject {
    let node: FeedNode
    let object: JSONObject

    subscript(key: String) -> FeedNode? { object[key].map { node.child($0, key) } }

    /// Where a key that is not there would be.
    func missing(_ key: String) -> FeedNode { node.child(node.json, key) }
}
