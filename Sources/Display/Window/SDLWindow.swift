import CSDL
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// A window by SDL. All of it runs on the thread that made it, except for `ring`.
///
/// With a graphics processor pictures are textures of SDL's renderer. Without one SDL's renderer would convert and scale with slow code of its own, so the
/// window then has a plain surface for pictures that this project composed.
final class SDLWindow: WindowPort {
    struct Wish {
        var title = "Marquee"
        var width = 1280
        var height = 720
        /// Whether a graphics processor is used if there is one.
        var usesRenderer = true
    }
    private struct Texture {
        let handle: OpaquePointer
        let shape: TextureShape
    }
    /// SDL knows one application per process.
    private static let isOpen = Mutex(false)
    private static let fallbackRate: Int32 = 60

    private let library: SDLLibrary
    private var sdl: marquee_sdl { library.calls.pointee }
    private let clock: RealClock
    private let window: OpaquePointer
    /// Nil without a graphics processor.
    private let renderer: OpaquePointer?
    private let rendererName: String
    /// SDL's name of the kind of desktop: `wayland`, `x11`.
    let driver: String
    private var textures: [TextureID: Texture] = [:]
    private var nextTexture = 1
    private let bellType: UInt32
    /// Colour premultiplied by alpha, over what is there.
    private let premultiplied: SDL_BlendMode
    let largestTexture: (width: Int, height: Int)?
    private(set) var waitsForScreen = false
    let ring: @Sendable () -> Void

    /// - Throws: `MediaError` with one sentence when there is no SDL or no desktop.
    init(_ wish: Wish, session: DesktopSession, clock: RealClock) throws(MediaError) {
        let library = try SDLLibrary.found.get()
        guard
            Self.isOpen.withLock({ isOpen in
                defer { isOpen = true }
                return !isOpen
            })
        else {
            throw MediaError(.internal, "Opening a window failed: this program has one already; close it first.")
        }
        let sdl = library.calls.pointee
        do throws(MediaError) {
            try Self.begin(library, session)
        } catch {
            Self.isOpen.withLock { $0 = false }
            throw error
        }
        let (width, height) = Self.fitting(wish, sdl)
        let flags = SDL_WINDOW_HIDDEN.rawValue | SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
        guard let window = sdl.SDL_CreateWindow(wish.title, Self.centred, Self.centred, Int32(width), Int32(height), flags) else {
            let problem = library.problem
            Self.end(sdl)
            throw MediaError(.internal, "Opening a window failed: \(problem); use --display headless.")
        }
        sdl.SDL_SetWindowMinimumSize(window, 320, 180)
        self.library = library
        self.clock = clock
        self.window = window
        driver = sdl.SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? "unknown"
        premultiplied = sdl.SDL_ComposeCustomBlendMode(
            SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD, SDL_BLENDFACTOR_ONE,
            SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD)
        let found = wish.usesRenderer ? Self.makeRenderer(window, blending: premultiplied, sdl) : nil
        renderer = found?.handle
        rendererName = found?.name ?? "no graphics processor"
        largestTexture = found?.largest
        let bellType = sdl.SDL_RegisterEvents(1)
        self.bellType = bellType
        ring = {
            var event = SDL_Event()
            event.type = bellType
            _ = library.calls.pointee.SDL_PushEvent(&event)
        }
    }

    /// SDL_WINDOWPOS_CENTERED.
    private static let centred: Int32 = 0x2FFF_0000

    /// Starts SDL with the first driver that works.
    private static func begin(_ library: SDLLibrary, _ session: DesktopSession) throws(MediaError) {
        let sdl = library.calls.pointee
        // Signals are the program's.
        _ = sdl.SDL_SetHint("SDL_NO_SIGNAL_HANDLERS", "1")
        _ = sdl.SDL_SetHint("SDL_APP_NAME", "Marquee")
        _ = sdl.SDL_SetHint("SDL_VIDEO_X11_WMCLASS", "marquee")
        _ = sdl.SDL_SetHint("SDL_VIDEO_WAYLAND_WMCLASS", "marquee")
        _ = sdl.SDL_SetHint("SDL_FRAMEBUFFER_ACCELERATION", "0")
        var problem = "there is no desktop session"
        for driver in session.drivers {
            // What the environment says about SDL counts more than this.
            _ = sdl.SDL_SetHint("SDL_VIDEODRIVER", driver)
            guard sdl.SDL_InitSubSystem(marquee_sdl_video) == 0 else {
                problem = library.problem
                continue
            }
            // Keys are keys of a remote: no input method composes text of them.
            sdl.SDL_StopTextInput()
            return
        }
        throw MediaError(
            .internal,
            "Opening a window failed: \(problem); see that WAYLAND_DISPLAY or DISPLAY names the desktop, or use --display headless."
        )
    }

    private static func end(_ sdl: marquee_sdl) {
        sdl.SDL_QuitSubSystem(marquee_sdl_video)
        isOpen.withLock { $0 = false }
    }

    /// The wanted size, or the largest of that shape for which the desktop has room.
    private static func fitting(_ wish: Wish, _ sdl: marquee_sdl) -> (width: Int, height: Int) {
        var room = SDL_Rect()
        guard sdl.SDL_GetDisplayUsableBounds(0, &room) == 0, room.w > 0, room.h > 0,
            wish.width > Int(room.w) || wish.height > Int(room.h)
        else { return (wish.width, wish.height) }
        let fit = CanvasFit(
            width: wish.width, height: wish.height, windowWidth: Int(room.w) * 9 / 10, windowHeight: Int(room.h) * 9 / 10)
        return (max(fit.bounds.width, 320), max(fit.bounds.height, 180))
    }

    private static func makeRenderer(
        _ window: OpaquePointer, blending: SDL_BlendMode, _ sdl: marquee_sdl
    ) -> (handle: OpaquePointer, name: String, largest: (width: Int, height: Int))? {
        let flags = SDL_RENDERER_ACCELERATED.rawValue | SDL_RENDERER_PRESENTVSYNC.rawValue
        guard let renderer = sdl.SDL_CreateRenderer(window, -1, flags) else { return nil }
        var info = SDL_RendererInfo()
        guard sdl.SDL_GetRendererInfo(renderer, &info) == 0, info.flags & SDL_RENDERER_ACCELERATED.rawValue != 0,
            let texture = sdl.SDL_CreateTexture(
                renderer, SDL_PIXELFORMAT_ARGB8888.rawValue, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue), 16, 16)
        else {
            sdl.SDL_DestroyRenderer(renderer)
            return nil
        }
        let blends = sdl.SDL_SetTextureBlendMode(texture, blending) == 0
        sdl.SDL_DestroyTexture(texture)
        guard blends else {
            sdl.SDL_DestroyRenderer(renderer)
            return nil
        }
        // A driver that does not say how large its textures may be has no limit that a screen would meet.
        func limit(_ size: Int32) -> Int { size > 0 ? Int(size) : 16384 }
        return (renderer, String(cString: info.name), (limit(info.max_texture_width), limit(info.max_texture_height)))
    }

    var facts: String {
        "SDL \(library.version) on \(driver), \(rendererName)\(waitsForScreen ? ", pictures wait for the screen" : "")"
    }

    var size: (width: Int, height: Int) {
        var (width, height): (Int32, Int32) = (0, 0)
        if let renderer, sdl.SDL_GetRendererOutputSize(renderer, &width, &height) == 0 { return (Int(width), Int(height)) }
        sdl.SDL_GetWindowSizeInPixels(window, &width, &height)
        return (Int(width), Int(height))
    }

    var refresh: Ratio {
        var mode = SDL_DisplayMode()
        let index = max(sdl.SDL_GetWindowDisplayIndex(window), 0)
        let known = sdl.SDL_GetCurrentDisplayMode(index, &mode) == 0 && (1...1000).contains(mode.refresh_rate)
        return Ratio(Int64(known ? mode.refresh_rate : Self.fallbackRate))
    }

    func show() -> HostTime? {
        sdl.SDL_ShowWindow(window)
        guard renderer != nil else { return nil }
        // Some drivers take the request to wait for the screen and do not: measured, not believed. The first pictures of a window take longer.
        for _ in 0..<3 { draw([.clear]) }
        let (count, start) = (5, clock.now)
        for _ in 0..<count { draw([.clear]) }
        let interval = 1_000_000_000 * refresh.denominator / refresh.numerator
        waitsForScreen = (clock.now - start).wholeNanoseconds > interval * Int64(count) / 2
        return waitsForScreen ? clock.now : nil
    }

    // MARK: Textures

    func makeTexture(_ shape: TextureShape) -> TextureID? {
        guard let renderer else { return nil }
        if let conversion = shape.conversion { sdl.SDL_SetYUVConversionMode(Self.mode(of: conversion)) }
        let format =
            switch shape.kind {
            case .threePlanes: SDL_PIXELFORMAT_IYUV
            case .twoPlanes: SDL_PIXELFORMAT_NV12
            case .colour: SDL_PIXELFORMAT_ARGB8888
            }
        guard
            let handle = sdl.SDL_CreateTexture(
                renderer, format.rawValue, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue), Int32(shape.width), Int32(shape.height))
        else { return nil }
        _ = sdl.SDL_SetTextureScaleMode(handle, SDL_ScaleModeLinear)
        defer { nextTexture += 1 }
        textures[nextTexture] = Texture(handle: handle, shape: shape)
        return nextTexture
    }

    private static func mode(of conversion: TextureShape.Conversion) -> SDL_YUV_CONVERSION_MODE {
        switch conversion {
        case .bt601: SDL_YUV_CONVERSION_BT601
        case .bt601Full: SDL_YUV_CONVERSION_JPEG
        case .bt709: SDL_YUV_CONVERSION_BT709
        }
    }

    func fill(_ texture: TextureID, with picture: PixelBuffer) -> Bool {
        guard let texture = textures[texture] else { return false }
        let sdl = self.sdl
        return picture.withReadablePlanes { planes in
            switch texture.shape.kind {
            case .threePlanes:
                sdl.SDL_UpdateYUVTexture(
                    texture.handle, nil, planes.bytes(0), planes.stride(0), planes.bytes(1), planes.stride(1), planes.bytes(2),
                    planes.stride(2)) == 0
            case .twoPlanes:
                sdl.SDL_UpdateNVTexture(
                    texture.handle, nil, planes.bytes(0), planes.stride(0), planes.bytes(1), planes.stride(1)) == 0
            case .colour: sdl.SDL_UpdateTexture(texture.handle, nil, planes.bytes(0), planes.stride(0)) == 0
            }
        }
    }

    func discard(_ texture: TextureID) {
        if let texture = textures.removeValue(forKey: texture) { sdl.SDL_DestroyTexture(texture.handle) }
    }

    func draw(_ steps: [DrawStep]) {
        guard let renderer else { return }
        for step in steps {
            switch step {
            case .clear:
                _ = sdl.SDL_RenderSetClipRect(renderer, nil)
                _ = sdl.SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255)
                _ = sdl.SDL_RenderClear(renderer)
            case .clip(let area):
                var area = SDL_Rect(x: Int32(area.x), y: Int32(area.y), w: Int32(area.width), h: Int32(area.height))
                _ = sdl.SDL_RenderSetClipRect(renderer, &area)
            case .fill(let area, let colour):
                var area = SDL_FRect(area)
                _ = sdl.SDL_SetRenderDrawColor(renderer, colour.red, colour.green, colour.blue, 255)
                _ = sdl.SDL_RenderFillRectF(renderer, &area)
            case .texture(let id, let source, let destination, let turns, let alpha, let isBlended):
                guard let texture = textures[id] else { continue }
                copy(texture, source, destination, turns, alpha, isBlended, renderer)
            }
        }
        sdl.SDL_RenderPresent(renderer)
    }

    private func copy(
        _ texture: Texture, _ source: PixelRect, _ destination: PlacedRect, _ turns: Int, _ alpha: UInt8, _ isBlended: Bool,
        _ renderer: OpaquePointer
    ) {
        if let conversion = texture.shape.conversion { sdl.SDL_SetYUVConversionMode(Self.mode(of: conversion)) }
        let (isPlain, handle) = (!isBlended && alpha == 255, texture.handle)
        _ = sdl.SDL_SetTextureBlendMode(handle, isPlain ? SDL_BLENDMODE_NONE : isBlended ? premultiplied : SDL_BLENDMODE_BLEND)
        _ = sdl.SDL_SetTextureAlphaMod(handle, alpha)
        // Premultiplied colours fade with their alpha.
        let shade = isBlended ? alpha : 255
        _ = sdl.SDL_SetTextureColorMod(handle, shade, shade, shade)
        var from = SDL_Rect(x: Int32(source.x), y: Int32(source.y), w: Int32(source.width), h: Int32(source.height))
        var place = destination
        if turns & 1 == 1 {
            // Before the turn it lies across.
            place = PlacedRect(
                x: destination.x + (destination.width - destination.height) / 2,
                y: destination.y + (destination.height - destination.width) / 2, width: destination.height,
                height: destination.width)
        }
        var area = SDL_FRect(place)
        _ = sdl.SDL_RenderCopyExF(renderer, handle, &from, &area, Double(turns & 3) * 90, nil, SDL_FLIP_NONE)
    }

    // MARK: The surface of a window without a graphics processor

    func put(_ picture: PixelBuffer, in area: PixelRect) {
        guard let surface = sdl.SDL_GetWindowSurface(window) else { return }
        let (width, height) = (Int(surface.pointee.w), Int(surface.pointee.h))
        if area != PixelRect(x: 0, y: 0, width: width, height: height) {
            _ = sdl.SDL_FillRect(surface, nil, sdl.SDL_MapRGB(surface.pointee.format, 0, 0, 0))
        }
        let sdl = self.sdl
        picture.withReadablePlanes { planes in
            // SDL keeps the address: the surface is freed before the picture is given back.
            let pixels = UnsafeMutableRawPointer(planes.bytes(0))
            guard
                let source = sdl.SDL_CreateRGBSurfaceWithFormatFrom(
                    pixels, Int32(picture.width), Int32(picture.height), 32, planes.stride(0), SDL_PIXELFORMAT_RGB888.rawValue)
            else { return }
            var place = SDL_Rect(x: Int32(area.x), y: Int32(area.y), w: Int32(area.width), h: Int32(area.height))
            if area.width == picture.width, area.height == picture.height {
                _ = sdl.SDL_UpperBlit(source, nil, surface, &place)
            } else {
                _ = sdl.SDL_UpperBlitScaled(source, nil, surface, &place)
            }
            sdl.SDL_FreeSurface(source)
        }
        _ = sdl.SDL_UpdateWindowSurface(window)
    }

    // MARK: Events

    func nextEvent(within patience: Duration?) -> WindowEvent? {
        var event = SDL_Event()
        if let patience {
            let milliseconds = Int32(clamping: (patience.wholeNanoseconds + 999_999) / 1_000_000)
            let hasCome = milliseconds > 0 ? sdl.SDL_WaitEventTimeout(&event, milliseconds) : sdl.SDL_PollEvent(&event)
            guard hasCome != 0 else { return nil }
        } else {
            guard sdl.SDL_WaitEventTimeout(&event, -1) != 0 else { return nil }
        }
        return event.type == bellType ? .bell : SDLEvents.event(event)
    }

    func toggleFullScreen() {
        let isFull = sdl.SDL_GetWindowFlags(window) & SDL_WINDOW_FULLSCREEN.rawValue != 0
        _ = sdl.SDL_SetWindowFullscreen(window, isFull ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue)
    }

    func showPointer(_ isShown: Bool) { _ = sdl.SDL_ShowCursor(isShown ? 1 : 0) }

    func allowSleep(_ isAllowed: Bool) { isAllowed ? sdl.SDL_EnableScreenSaver() : sdl.SDL_DisableScreenSaver() }

    func close() {
        for texture in textures.values { sdl.SDL_DestroyTexture(texture.handle) }
        textures = [:]
        if let renderer { sdl.SDL_DestroyRenderer(renderer) }
        sdl.SDL_DestroyWindow(window)
        Self.end(sdl)
    }
}

extension SDL_FRect {
    fileprivate init(_ rect: PlacedRect) {
        self.init(x: Float(rect.x), y: Float(rect.y), w: Float(rect.width), h: Float(rect.height))
    }
}
