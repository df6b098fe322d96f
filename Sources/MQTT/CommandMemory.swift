/// The commands that were carried out, so that none is done twice: a broker delivers a message again when it is not sure that the box has it. A value.
package struct CommandMemory: Sendable, Equatable {
    /// The oldest are forgotten.
    package static let capacity = 512
    private var ids: [String] = []

    package init() {}

    /// - Parameter text: what `text` gave.
    package init(_ text: String) {
        let lines = text.split { $0 == "\n" }
        ids = lines.suffix(Self.capacity).map { String($0) }
    }

    package func contains(_ id: String) -> Bool { ids.contains(id) }

    package mutating func insert(_ id: String) {
        ids.append(id)
        if ids.count > Self.capacity { ids.removeFirst(ids.count - Self.capacity) }
    }

    /// One id on each line.
    package var text: String { ids.map { $0 + "\n" }.joined() }
}
