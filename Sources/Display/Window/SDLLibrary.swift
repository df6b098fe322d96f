import CSDL
import MediaModel

/// The functions of SDL 2, which is opened at the first use and never closed.
// Unchecked: function pointers that never change. SDL itself is called on the thread of a window, except for SDL_PushEvent, which any thread may call.
struct SDLLibrary: @unchecked Sendable {
    /// The functions. Valid for ever.
    let calls: UnsafePointer<marquee_sdl>

    /// The library of this machine, or why it cannot be used.
    static let found: Result<SDLLibrary, MediaError> = open()

    /// Its version, e.g. `2.26.5`.
    var version: String {
        var version = SDL_version()
        calls.pointee.SDL_GetVersion(&version)
        return "\(version.major).\(version.minor).\(version.patch)"
    }

    /// What SDL says about the call that failed last on this thread.
    var problem: String {
        guard let words = calls.pointee.SDL_GetError(), words.pointee != 0 else { return "SDL does not say why" }
        return String(cString: words)
    }

    private static func open() -> Result<SDLLibrary, MediaError> {
        let calls = UnsafeMutablePointer<marquee_sdl>.allocate(capacity: 1)
        switch marquee_sdl_open(calls) {
        case 1: return .success(SDLLibrary(calls: UnsafePointer(calls)))
        case 0:
            calls.deallocate()
            return .failure(
                MediaError(
                    .internal,
                    "Opening a window failed: SDL 2 is not installed; run apt install libsdl2-2.0-0, or use --display headless."))
        default:
            calls.deallocate()
            return .failure(
                MediaError(
                    .internal,
                    "Opening a window failed: the SDL of this machine is older than 2.26; install a newer one, or use --display headless."
                ))
        }
    }
}
