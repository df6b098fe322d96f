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

    /// The place of the value in its list; 0 for what is not in one.
    var index: Int { Int(name) ?? 0 }

    var isNull: Bool { json.isNull }

    fileprivate var isObjectOfNulls: Bool {
        guard case .object(let object) = json.value, !object.members.isEmpty else { return false }
        return object.members.allSatisfy(\.node.isNull)
    }

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

extension JSONNode {
    /// Whether the value says that there is none.
    var isNull: Bool {
        if case .null = value { true } else { false }
    }
}

/// An object of the document whose keys were checked.
struct FeedObject {
    let node: FeedNode
    let object: JSONObject

    /// The value of a key; nil when the key is absent, null, or an object of nulls: many serialisers write null for what is not there.
    subscript(key: String) -> FeedNode? {
        guard let node = written(key), !node.isNull, !node.isObjectOfNulls else { return nil }
        return node
    }

    /// The same for a key whose null says something else than its absence.
    func written(_ key: String) -> FeedNode? { object[key].map { node.child($0, key) } }

    /// The node that an absent key would have.
    func missing(_ key: String) -> FeedNode { node.child(node.json, key) }
}
