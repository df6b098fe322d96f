/// A large value that is held by reference until it changes, so that what contains it is cheap to copy and to take apart.
package struct CopyOnWrite<Value: Sendable>: Sendable {
    // Unchecked: the object never leaves `CopyOnWrite`, which changes it only while it has the single reference to it.
    private final class Storage: @unchecked Sendable {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    /// The value. Reading a part of it copies only that part.
    package var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}
