import CLinux
import Glibc

/// A failed system call: the call, its object and its errno.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The call that failed, e.g. `open`.
    package let call: String
    /// The object it was called on, e.g. a path.
    package let object: String
    package let code: Int32

    package init(call: String, object: String, code: Int32) {
        self.call = call
        self.object = object
        self.code = code
    }

    package var description: String { "\(call) on \(object) failed: \(String(cString: strerror(code))) (errno \(code))" }
}

/// Runs a C call that returns -1 and sets errno; repeats it on EINTR.
///
/// - Throws: `SystemError` with the call, the object and errno.
@discardableResult
package func systemCall<Result: SignedInteger>(
    _ call: String, on object: @autoclosure () -> String, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code == EINTR { continue }
        throw SystemError(call: call, object: object(), code: code)
    }
}
