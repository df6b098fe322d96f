import CLinux
import Glibc

/// A system call that the kernel refused: which call, on what, and its errno.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The call that failed, e.g. `open`.
    package let call: String
    /// What it was called on, e.g. a path.
    package let object: String
    /// The errno it left.
    package let code: Int32

    package init(call: String, object: String, code: Int32) {
        self.call = call
        self.object = object
        self.code = code
    }

    package var description: String { "\(call) on \(object) failed: \(String(cString: strerror(code))) (errno \(code))" }
}

/// Runs a C call that answers -1 and sets errno, again for as long as a signal interrupts it.
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
