/// Why a document of an operator cannot be used.
package struct DocumentFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// RFC 6901; empty for the whole document.
    package let pointer: String
    package let reason: String

    package init(pointer: String, reason: String) {
        self.pointer = pointer
        self.reason = reason
    }

    /// One line, whatever a name in the document is.
    package var description: String { pointer.isEmpty ? reason : "\(JSONText.escaped(pointer)): \(reason)" }
}

/// Reads the members of a small signed document, such as a notice of updates. Other members than those that are read are ignored.
package struct DocumentMembers: Sendable {
    package let object: JSONObject
    private static let mostNames = 1000

    /// - Parameters:
    ///   - what: the document in words, such as "the notice".
    ///   - longest: the most bytes that it may have.
    ///   - depth: the deepest nesting.
    /// - Throws: `DocumentFault` if it is not an object of JSON without a name twice.
    package init(_ bytes: [UInt8], what: String, longest: Int, depth: Int) throws(DocumentFault) {
        guard bytes.count <= longest else {
            throw DocumentFault(pointer: "", reason: "\(what) has more than \(longest >> 10) KiB")
        }
        var reader = JSONReader(bytes, maximumDepth: depth)
        let root: JSONNode
        do {
            root = try reader.read()
        } catch {
            var walk = LocationWalk(bytes)
            let place = walk.location(of: error.offset)
            throw DocumentFault(pointer: "", reason: "\(what) is not JSON at \(place): \(error.reason)")
        }
        if let twice = reader.duplicates.first {
            throw DocumentFault(pointer: twice.pointer.description, reason: "it is there twice")
        }
        guard case .object(let object) = root.value else {
            throw DocumentFault(pointer: "", reason: "\(what) is not a JSON object")
        }
        self.object = object
    }

    package func has(_ key: String) -> Bool { object[key] != nil }

    package func text(_ key: String) throws(DocumentFault) -> String {
        guard case .string(let text) = object[key]?.value, !text.isEmpty, text.utf8.count <= 2048 else {
            throw DocumentFault(pointer: "/\(key)", reason: "write a text of 1 to 2048 bytes")
        }
        return text
    }

    package func number(
        _ key: String, in range: ClosedRange<Int> = 0...1_000_000, standard: Int? = nil
    ) throws(DocumentFault) -> Int {
        if object[key] == nil, let standard { return standard }
        guard case .number(let text) = object[key]?.value, let number = Int(text), range.contains(number) else {
            let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
            throw DocumentFault(pointer: "/\(key)", reason: has(key) ? remedy : "it is missing; \(remedy)")
        }
        return number
    }

    /// - Throws: `DocumentFault` if the member is not this number, the form that is read.
    package func checkForm(_ key: String, is form: Int) throws(DocumentFault) {
        guard case .number(let text) = object[key]?.value, Int(text) == form else {
            let remedy = "write \(form), the form that this version of the box reads"
            throw DocumentFault(pointer: "/\(key)", reason: has(key) ? remedy : "it is missing; \(remedy)")
        }
    }

    package func truth(_ key: String) throws(DocumentFault) -> Bool {
        guard let node = object[key] else { return false }
        guard case .boolean(let truth) = node.value else {
            throw DocumentFault(pointer: "/\(key)", reason: "write true or false")
        }
        return truth
    }

    /// A list of texts; nil without the member.
    ///
    /// - Parameters:
    ///   - remedy: what a value needs that is no text.
    ///   - fault: what a text needs; nil for one that is right.
    package func texts(
        _ key: String, _ count: ClosedRange<Int>, of noun: String, remedy: String, fault: (String) -> String?
    ) throws(DocumentFault) -> [String]? {
        guard let node = object[key] else { return nil }
        guard case .array(let nodes) = node.value, count.contains(nodes.count) else {
            throw DocumentFault(
                pointer: "/\(key)", reason: "write a list of \(count.lowerBound) to \(count.upperBound) \(noun)")
        }
        var texts: [String] = []
        for (index, node) in nodes.enumerated() {
            let pointer = "/\(key)/\(index)"
            guard case .string(let text) = node.value else { throw DocumentFault(pointer: pointer, reason: remedy) }
            if let fault = fault(text) { throw DocumentFault(pointer: pointer, reason: fault) }
            texts.append(text)
        }
        return texts
    }

    /// A list of names, not empty.
    package func names(_ key: String) throws(DocumentFault) -> Set<String> {
        let remedy = "write a name of 1 to 64 letters, digits, dots, underscores and hyphens"
        let names = try texts(key, 1...Self.mostNames, of: "names", remedy: remedy) { name in
            PlainName.isOne(name) ? nil : remedy
        }
        guard let names else { throw DocumentFault(pointer: "/\(key)", reason: "write a list of 1 to \(Self.mostNames) names") }
        return Set(names)
    }
}
