// SDL 2, by its headers only. The library is opened when a window is wanted: a box has none, and its image has neither SDL nor the libraries of a desktop.
#pragma once
#include <dlfcn.h>
#include <SDL2/SDL_error.h>
#include <SDL2/SDL_events.h>
#include <SDL2/SDL_hints.h>
#include <SDL2/SDL_mouse.h>
#include <SDL2/SDL_render.h>
#include <SDL2/SDL_surface.h>
#include <SDL2/SDL_version.h>
#include <SDL2/SDL_video.h>

// Those of SDL.h, which has intrinsics of processors that Swift does not read.
extern int SDL_InitSubSystem(Uint32 flags);
extern void SDL_QuitSubSystem(Uint32 flags);
static const Uint32 marquee_sdl_video = 0x20;

#define MARQUEE_SDL_FUNCTIONS(F) \
    F(SDL_GetVersion) F(SDL_GetError) F(SDL_SetHint) F(SDL_InitSubSystem) F(SDL_QuitSubSystem) \
    F(SDL_GetCurrentVideoDriver) F(SDL_EnableScreenSaver) F(SDL_DisableScreenSaver) F(SDL_ShowCursor) F(SDL_StopTextInput) \
    F(SDL_GetDisplayUsableBounds) F(SDL_GetWindowDisplayIndex) F(SDL_GetCurrentDisplayMode) \
    F(SDL_CreateWindow) F(SDL_DestroyWindow) F(SDL_ShowWindow) F(SDL_SetWindowMinimumSize) F(SDL_SetWindowFullscreen) F(SDL_GetWindowFlags) \
    F(SDL_GetWindowSizeInPixels) F(SDL_GetWindowSurface) F(SDL_UpdateWindowSurface) \
    F(SDL_CreateRGBSurfaceWithFormatFrom) F(SDL_FreeSurface) F(SDL_FillRect) F(SDL_MapRGB) F(SDL_UpperBlit) F(SDL_UpperBlitScaled) \
    F(SDL_CreateRenderer) F(SDL_DestroyRenderer) F(SDL_GetRendererInfo) F(SDL_GetRendererOutputSize) \
    F(SDL_CreateTexture) F(SDL_DestroyTexture) F(SDL_SetTextureScaleMode) F(SDL_SetTextureBlendMode) F(SDL_SetTextureAlphaMod) \
    F(SDL_SetTextureColorMod) F(SDL_ComposeCustomBlendMode) F(SDL_SetYUVConversionMode) \
    F(SDL_UpdateTexture) F(SDL_UpdateYUVTexture) F(SDL_UpdateNVTexture) \
    F(SDL_SetRenderDrawColor) F(SDL_RenderClear) F(SDL_RenderFillRectF) F(SDL_RenderSetClipRect) F(SDL_RenderCopyExF) F(SDL_RenderPresent) \
    F(SDL_RegisterEvents) F(SDL_PushEvent) F(SDL_PollEvent) F(SDL_WaitEventTimeout)

/// The functions that are used.
struct marquee_sdl {
#define MARQUEE_SDL_FIELD(name) __typeof__(&name) _Nonnull name;
    MARQUEE_SDL_FUNCTIONS(MARQUEE_SDL_FIELD)
#undef MARQUEE_SDL_FIELD
};

/// Opens the library and finds its functions. Returns 1; 0 when there is no SDL 2; -1 when it lacks a function, because it is older than 2.26.
static inline int marquee_sdl_open(struct marquee_sdl *_Nonnull sdl) {
    void *library = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 0;
    void *found;
#define MARQUEE_SDL_FIND(name) \
    if ((found = dlsym(library, #name)) == NULL) return -1; \
    *(void **)&sdl->name = found;
    MARQUEE_SDL_FUNCTIONS(MARQUEE_SDL_FIND)
#undef MARQUEE_SDL_FIND
    return 1;
}

