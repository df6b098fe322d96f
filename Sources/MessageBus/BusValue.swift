import CGIO

/// A value on the bus, of one of the types that this program sends or reads.
package enum BusValue: Sendable, Hashable {
    case flag(Bool)
    case number(Double)
    /// `n`, `i` or `x` on the bus, by its case.
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case uint32(UInt32)
    case text(String)
    case texts([String])
    /// The name of an object.
    case path(String)
    /// `a{sv}`: properties by name. A value of a type that is not read here is absent.
    case table([String: BusValue])
    /// `a{sa{sv}}`: properties by interface.
    case interfaces([String: [String: BusValue]])
    /// `a{oa{sa{sv}}}`: interfaces by object.
    case objects([String: [String: [String: BusValue]]])
    /// Several values of one type, or none of it.
    case array(of: String, [BusValue])
    case tuple([BusValue])
    /// A value of any type, for sending: what is read is its contents.
    indirect case variant(BusValue)

    /// More elements of one array are not read.
    private static let mostElements = 4096
    /// Values nested more deeply are not read.
    private static let deepest = 8

    // MARK: Writing

    /// - Returns: a floating reference: the call that it is given to takes it over.
    func makeVariant() -> OpaquePointer {
        switch self {
        case .flag(let value): g_variant_new_boolean(value ? 1 : 0)
        case .number(let value): g_variant_new_double(value)
        case .int16(let value): g_variant_new_int16(value)
        case .int32(let value): g_variant_new_int32(value)
        case .int64(let value): g_variant_new_int64(gint64(value))
        case .uint32(let value): g_variant_new_uint32(value)
        case .text(let value): g_variant_new_string(value)
        case .path(let value): g_variant_new_object_path(value)
        case .texts(let values): Self.makeArray(of: "s", values.map { g_variant_new_string($0) })
        case .table(let values):
            Self.makeDictionary(of: "{sv}", values) {
                g_variant_new_string($0)
            } _: {
                g_variant_new_variant($0.makeVariant())
            }
        case .interfaces(let values):
            Self.makeDictionary(of: "{sa{sv}}", values) {
                g_variant_new_string($0)
            } _: {
                BusValue.table($0).makeVariant()
            }
        case .objects(let values):
            Self.makeDictionary(of: "{oa{sa{sv}}}", values) {
                g_variant_new_object_path($0)
            } _: {
                BusValue.interfaces($0).makeVariant()
            }
        case .array(let type, let values): Self.makeArray(of: type, values.map { $0.makeVariant() })
        case .tuple(let values): Self.makeTuple(values)
        case .variant(let value): g_variant_new_variant(value.makeVariant())
        }
    }

    private static func makeArray(of type: String, _ elements: [OpaquePointer?]) -> OpaquePointer {
        let type = g_variant_type_new(type)
        defer { g_variant_type_free(type) }
        return g_variant_new_array(type, elements, gsize(elements.count))
    }

    private static func makeDictionary<Element>(
        of type: String, _ values: [String: Element], _ key: (String) -> OpaquePointer?, _ value: (Element) -> OpaquePointer?
    ) -> OpaquePointer {
        makeArray(
            of: type, values.sorted { $0.key < $1.key }.map { g_variant_new_dict_entry(key($0.key), value($0.value)) })
    }

    /// The arguments of a call or a signal, a floating reference too.
    static func makeTuple(_ elements: [BusValue]) -> OpaquePointer {
        g_variant_new_tuple(elements.map { $0.makeVariant() }, gsize(elements.count))
    }

    // MARK: Reading

    /// The value of a variant, which stays the caller's. A variant in a variant is its contents.
    ///
    /// - Returns: nil for a type that is not read here.
    init?(_ variant: OpaquePointer) { self.init(variant, depth: 0) }

    private init?(_ variant: OpaquePointer, depth: Int) {
        guard depth < Self.deepest else { return nil }
        let type = String(cString: g_variant_get_type_string(variant))
        switch type {
        case "b": self = .flag(g_variant_get_boolean(variant) != 0)
        case "d": self = .number(g_variant_get_double(variant))
        case "n": self = .int16(g_variant_get_int16(variant))
        case "i": self = .int32(g_variant_get_int32(variant))
        case "x": self = .int64(Int64(g_variant_get_int64(variant)))
        case "u": self = .uint32(g_variant_get_uint32(variant))
        case "s": self = .text(String(cString: g_variant_get_string(variant, nil)))
        case "o": self = .path(String(cString: g_variant_get_string(variant, nil)))
        case "v":
            let inner = g_variant_get_variant(variant)!
            defer { g_variant_unref(inner) }
            guard let value = BusValue(inner, depth: depth + 1) else { return nil }
            self = value
        case "as": self = .texts(Self.children(of: variant, depth).map { if case .text(let text) = $0 { text } else { "" } })
        case "a{sv}": self = .table(Self.entries(of: variant, depth) { $0 })
        case "a{sa{sv}}":
            self = .interfaces(Self.entries(of: variant, depth) { if case .table(let table) = $0 { table } else { nil } })
        case "a{oa{sa{sv}}}":
            self = .objects(Self.entries(of: variant, depth) { if case .interfaces(let found) = $0 { found } else { nil } })
        case _ where type.hasPrefix("a{"): return nil
        case _ where type.hasPrefix("a"):
            self = .array(of: String(type.dropFirst()), Self.children(of: variant, depth))
        case _ where type.hasPrefix("("): self = .tuple(Self.children(of: variant, depth))
        default: return nil
        }
    }

    /// The elements of an array or a tuple. Those that are not read are left out.
    private static func children(of variant: OpaquePointer, _ depth: Int) -> [BusValue] {
        (0..<min(Int(g_variant_n_children(variant)), mostElements)).compactMap { index in
            let child = g_variant_get_child_value(variant, gsize(index))!
            defer { g_variant_unref(child) }
            return BusValue(child, depth: depth + 1)
        }
    }

    private static func entries<Element>(
        of variant: OpaquePointer, _ depth: Int, _ element: (BusValue) -> Element?
    ) -> [String: Element] {
        var found: [String: Element] = [:]
        for index in 0..<min(Int(g_variant_n_children(variant)), mostElements) {
            let entry = g_variant_get_child_value(variant, gsize(index))!
            let key = g_variant_get_child_value(entry, 0)!
            let value = g_variant_get_child_value(entry, 1)!
            defer {
                g_variant_unref(value)
                g_variant_unref(key)
                g_variant_unref(entry)
            }
            if let value = BusValue(value, depth: depth + 1).flatMap(element) {
                found[String(cString: g_variant_get_string(key, nil))] = value
            }
        }
        return found
    }

    /// The arguments of a message, which stays the caller's. An argument that is not read leaves all of them unread, so that none takes the place of another.
    static func arguments(_ tuple: OpaquePointer?) -> [BusValue] {
        guard let tuple, case .tuple(let values)? = BusValue(tuple), values.count == Int(g_variant_n_children(tuple)) else {
            return []
        }
        return values
    }
}
