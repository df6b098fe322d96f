import CGIO

/// A value on the bus, of one of the types that MPRIS has.
enum BusValue: Sendable, Hashable {
    case flag(Bool)
    case number(Double)
    /// A time or a distance, `x` on the bus.
    case microseconds(Int64)
    case text(String)
    case texts([String])
    /// The name of an object.
    case path(String)
    case table([String: BusValue])

    /// - Returns: a floating reference: the call that it is given to takes it over.
    func makeVariant() -> OpaquePointer {
        switch self {
        case .flag(let value): g_variant_new_boolean(value ? 1 : 0)
        case .number(let value): g_variant_new_double(value)
        case .microseconds(let value): g_variant_new_int64(gint64(value))
        case .text(let value): g_variant_new_string(value)
        case .path(let value): g_variant_new_object_path(value)
        case .texts(let values): Self.array(of: "s", values.map { g_variant_new_string($0) })
        case .table(let values):
            Self.array(
                of: "{sv}",
                values.sorted { $0.key < $1.key }.map { name, value in
                    g_variant_new_dict_entry(g_variant_new_string(name), g_variant_new_variant(value.makeVariant()))
                })
        }
    }

    private static func array(of type: String, _ elements: [OpaquePointer?]) -> OpaquePointer {
        let type = g_variant_type_new(type)
        defer { g_variant_type_free(type) }
        return g_variant_new_array(type, elements, gsize(elements.count))
    }

    /// The arguments of a call or a signal, a floating reference too.
    static func makeTuple(_ elements: [BusValue]) -> OpaquePointer {
        g_variant_new_tuple(elements.map { $0.makeVariant() }, gsize(elements.count))
    }
}
