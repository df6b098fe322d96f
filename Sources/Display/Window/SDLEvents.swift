import CSDL

/// What SDL's events are to a window.
enum SDLEvents {
    /// - Returns: nil for events that do not matter.
    static func event(_ event: SDL_Event) -> WindowEvent? {
        switch SDL_EventType(event.type) {
        case SDL_QUIT: return .close
        case SDL_KEYDOWN, SDL_KEYUP:
            return key(event.key)
        case SDL_MOUSEMOTION:
            guard event.motion.xrel != 0 || event.motion.yrel != 0 else { return nil }
            return .input(.motion(horizontal: event.motion.xrel, vertical: event.motion.yrel))
        case SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP:
            guard let code = SDLKeys.code(ofButton: event.button.button) else { return nil }
            return .input(.key(code: code, value: event.type == SDL_MOUSEBUTTONDOWN.rawValue ? 1 : 0))
        case SDL_MOUSEWHEEL:
            guard event.wheel.y != 0 else { return nil }
            return .input(.wheel(event.wheel.y))
        case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET: return .texturesLost
        case SDL_WINDOWEVENT:
            return window(SDL_WindowEventID(UInt32(event.window.event)))
        default: return nil
        }
    }

    private static func key(_ event: SDL_KeyboardEvent) -> WindowEvent? {
        let (scancode, isDown) = (event.keysym.scancode.rawValue, event.type == SDL_KEYDOWN.rawValue)
        let modifiers = UInt32(event.keysym.mod)
        let (hasAlt, hasControl) = (modifiers & KMOD_ALT.rawValue != 0, modifiers & KMOD_CTRL.rawValue != 0)
        if scancode == SDLKeys.fullScreen || scancode == SDLKeys.enter && hasAlt {
            return isDown && event.repeat == 0 ? .toggleFullScreen : nil
        }
        if scancode == SDLKeys.quit, hasControl { return isDown ? .close : nil }
        guard let code = SDLKeys.code(ofScancode: scancode) else { return nil }
        return .input(.key(code: code, value: isDown ? (event.repeat == 0 ? 1 : 2) : 0))
    }

    private static func window(_ event: SDL_WindowEventID) -> WindowEvent? {
        switch event {
        case SDL_WINDOWEVENT_CLOSE: .close
        case SDL_WINDOWEVENT_SIZE_CHANGED, SDL_WINDOWEVENT_DISPLAY_CHANGED: .resized
        case SDL_WINDOWEVENT_EXPOSED: .exposed
        case SDL_WINDOWEVENT_HIDDEN, SDL_WINDOWEVENT_MINIMIZED: .visible(false)
        case SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED, SDL_WINDOWEVENT_MAXIMIZED: .visible(true)
        default: nil
        }
    }
}
