import WireFormats

/// One value of the document, with the path to it.
///
/// The pointer is built only when a finding needs it: a good feed never pays for it.
struct FeedNode {
    /// The last step of the path; steps are shared between siblings.
    final class Step: Sendable {
        let parent: Step?
        let token: String

        init(parent: Step?, token: String) {
            self.parent = parent
            self.token = token
        }
    }

    /// A document of the feed.
    final class Page: Sendable {
        /// 0 for the first.
        let index: Int
        /// Its address without secrets; nil for the first, whose findings do not repeat it.
        let address: String?

        init(index: Int, address: String?) {
            self.index = index
            self.address = address
        }
    }

    let json: JSONNode
    let step: Step?
    let page: Page

    /// The key or index of the value; empty for the document.
    var name: String { step?.token ?? "" }

    var pointer: JSONPointer {
        var tokens: [String] = []
        var step = self.step
        while let current = step {
            tokens.append(current.token)
            step = current.parent
        }
        return JSONPointer(tokens.reversed(), in: page.address)
    }

    func child(_ json: JSONNode, _ token: String) -> FeedNode {
        FeedNode(json: json, step: Step(parent: step, token: token), page: page)
    }

    /// The value of a key of this object; the node itself where there is none.
    func member(_ key: String) -> FeedNode {
        guard case .object(let object) = json.value, let value = object[key] else { return self }
        return child(value, key)
    }
}

/// An object of the document whose keys were checked.
struct FeedObject {
    let node: FeedNode
    let object: JSONObject

    subscript(key: String) -> FeedNode? { object[key].map { node.child($0, key) } }

    /// The node that an absent key would have.
    func missing(_ key: String) -> FeedNode { node.child(node.json, key) }
}
