/// The callbacks for each change of something. Callbacks may add and remove observers.
@MainActor
final class ChangeObservers {
    private var observers: [(token: Int, action: @MainActor () -> Void)] = []
    private var onceObservers: [@MainActor () -> Void] = []
    private var lastToken = 0

    /// - Returns: a token for `remove`.
    func add(_ action: @escaping @MainActor () -> Void) -> Int {
        lastToken += 1
        observers.append((lastToken, action))
        return lastToken
    }

    /// Calls back at the next change only.
    func addOnce(_ action: @escaping @MainActor () -> Void) { onceObservers.append(action) }

    func remove(_ token: Int) { observers.removeAll { $0.token == token } }

    func removeAll() {
        observers = []
        onceObservers = []
    }

    func notify() {
        let once = onceObservers
        onceObservers = []
        once.forEach { $0() }
        for observer in observers { observer.action() }
    }
}
