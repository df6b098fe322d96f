#define _GNU_SOURCE
#include "CCrash.h"
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// MARK: The recorder

enum { MAGIC = 0x4d51464c, ITEM_LENGTH = 160, BOOT_LENGTH = 40, VERSION_LENGTH = 40, BUILD_LENGTH = 48 };

struct log_line { _Atomic uint32_t length; char text[MARQUEE_LOG_LENGTH]; };
struct flip_line { _Atomic uint32_t length; char text[MARQUEE_FLIP_LENGTH]; };

struct recorder {
    uint32_t magic;
    uint32_t size;
    int32_t pid;
    _Atomic int32_t ended;  // properly, or with a record
    int64_t beat;           // CLOCK_BOOTTIME of the last line, in nanoseconds
    int64_t wall;           // CLOCK_REALTIME of the last line, in seconds
    char boot[BOOT_LENGTH];
    char version[VERSION_LENGTH];
    char build[BUILD_LENGTH];
    char item[ITEM_LENGTH];
    _Atomic uint64_t logs;
    _Atomic uint64_t flips;
    struct log_line log[MARQUEE_LOG_LINES];
    struct flip_line flip[MARQUEE_FLIP_LINES];
};

static struct recorder *recorder;
static char build_id[BUILD_LENGTH];

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void copy_text(char *to, size_t room, const char *from, size_t length) {
    size_t count = length < room ? length : room;
    for (size_t index = 0; index < count; index++) to[index] = from[index] == '\n' ? ' ' : from[index];
    if (count < room) to[count] = 0;
}

int marquee_flight_open(const char *path) {
    int file = -1, result = 0;
    if (path && *path) {
        file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0 || ftruncate(file, sizeof(struct recorder)) < 0) {
            result = -1;
            if (file >= 0) close(file);
            file = -1;
        }
    }
    int code = errno;
    void *memory = mmap(NULL, sizeof(struct recorder), PROT_READ | PROT_WRITE,
                        file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
    if (file >= 0) close(file);
    if (memory == MAP_FAILED) return -1;
    recorder = memory;
    recorder->magic = MAGIC;
    recorder->size = sizeof(struct recorder);
    recorder->pid = getpid();
    int boot = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (boot >= 0) {
        ssize_t count = read(boot, recorder->boot, BOOT_LENGTH - 1);
        if (count > 0 && recorder->boot[count - 1] == '\n') recorder->boot[count - 1] = 0;
        close(boot);
    }
    copy_text(recorder->build, BUILD_LENGTH - 1, marquee_build_id(), strlen(marquee_build_id()));
    errno = code;
    return result;
}

static void beat(void) {
    recorder->beat = nanoseconds(CLOCK_BOOTTIME);
    recorder->wall = nanoseconds(CLOCK_REALTIME) / 1000000000;
}

void marquee_flight_log(const char *text, size_t length) {
    if (!recorder) return;
    uint64_t number = atomic_fetch_add_explicit(&recorder->logs, 1, memory_order_relaxed);
    struct log_line *line = &recorder->log[number % MARQUEE_LOG_LINES];
    atomic_store_explicit(&line->length, 0, memory_order_relaxed);
    copy_text(line->text, MARQUEE_LOG_LENGTH, text, length);
    uint32_t kept = length < MARQUEE_LOG_LENGTH ? (uint32_t)length : MARQUEE_LOG_LENGTH;
    atomic_store_explicit(&line->length, kept, memory_order_release);
    beat();
}

void marquee_flight_flip(const char *text, size_t length) {
    if (!recorder) return;
    uint64_t number = atomic_fetch_add_explicit(&recorder->flips, 1, memory_order_relaxed);
    struct flip_line *line = &recorder->flip[number % MARQUEE_FLIP_LINES];
    atomic_store_explicit(&line->length, 0, memory_order_relaxed);
    copy_text(line->text, MARQUEE_FLIP_LENGTH, text, length);
    uint32_t kept = length < MARQUEE_FLIP_LENGTH ? (uint32_t)length : MARQUEE_FLIP_LENGTH;
    atomic_store_explicit(&line->length, kept, memory_order_release);
    beat();
}

void marquee_flight_item(const char *text, size_t length) {
    if (!recorder) return;
    copy_text(recorder->item, ITEM_LENGTH - 1, text, length);
}

void marquee_flight_close(void) {
    if (recorder) atomic_store(&recorder->ended, 1);
}

// MARK: Writing, async-signal-safe

struct writer {
    int file;       // or -1: into memory
    char *memory;
    size_t length, room;
};

static void put(struct writer *out, const char *text, size_t length) {
    if (length > out->room - out->length) length = out->room - out->length;
    if (out->file < 0) {
        memcpy(out->memory + out->length, text, length);
        out->length += length;
        return;
    }
    while (length > 0) {
        ssize_t count = write(out->file, text, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text += count;
        length -= (size_t)count;
        out->length += (size_t)count;
    }
}

static void put_text(struct writer *out, const char *text) { put(out, text, strlen(text)); }

static void put_number(struct writer *out, uint64_t number, unsigned base) {
    char digits[24];
    size_t place = sizeof digits;
    do {
        digits[--place] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number && place);
    put(out, digits + place, sizeof digits - place);
}

static void put_field(struct writer *out, const char *name, const char *value, size_t room) {
    put_text(out, name);
    put_text(out, " ");
    put(out, value, strnlen(value, room));
    put_text(out, "\n");
}

static void put_rings(struct writer *out, struct recorder *from) {
    put_text(out, "log\n");
    uint64_t logs = atomic_load(&from->logs);
    for (uint64_t number = logs > MARQUEE_LOG_LINES ? logs - MARQUEE_LOG_LINES : 0; number < logs; number++) {
        struct log_line *line = &from->log[number % MARQUEE_LOG_LINES];
        uint32_t length = atomic_load_explicit(&line->length, memory_order_acquire);
        if (length == 0 || length > MARQUEE_LOG_LENGTH) continue;
        put(out, line->text, length);
        put_text(out, "\n");
    }
    put_text(out, "presentation\n");
    uint64_t flips = atomic_load(&from->flips);
    for (uint64_t number = flips > MARQUEE_FLIP_LINES ? flips - MARQUEE_FLIP_LINES : 0; number < flips; number++) {
        struct flip_line *line = &from->flip[number % MARQUEE_FLIP_LINES];
        uint32_t length = atomic_load_explicit(&line->length, memory_order_acquire);
        if (length == 0 || length > MARQUEE_FLIP_LENGTH) continue;
        put(out, line->text, length);
        put_text(out, "\n");
    }
    put_text(out, "end\n");
}

static void put_head(struct writer *out, struct recorder *from, const char *signal_name, uint64_t number, int64_t beat, int64_t wall) {
    put_text(out, "marquee crash 1\n");
    put_field(out, "version", from->version, VERSION_LENGTH);
    put_field(out, "build", from->build, BUILD_LENGTH);
    put_field(out, "boot", from->boot, BOOT_LENGTH);
    put_text(out, "pid ");
    put_number(out, (uint64_t)from->pid, 10);
    put_text(out, "\nuptime ");
    put_number(out, (uint64_t)beat, 10);
    put_text(out, "\nwall ");
    put_number(out, (uint64_t)wall, 10);
    put_text(out, "\nsignal ");
    put_number(out, number, 10);
    put_text(out, " ");
    put_text(out, signal_name);
    put_text(out, "\n");
    put_field(out, "item", from->item, ITEM_LENGTH);
}

// MARK: Modules, recorded before a crash

enum { MOST_MODULES = 160, NAME_LENGTH = 96, MOST_FRAMES = 64 };
struct module { uintptr_t base, end; char name[NAME_LENGTH]; };
static struct module modules[MOST_MODULES];
static _Atomic int module_count;

static int note_module(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    int index = atomic_load(&module_count);
    if (index >= MOST_MODULES) return 1;
    uintptr_t end = info->dlpi_addr;
    for (int number = 0; number < info->dlpi_phnum; number++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[number];
        if (header->p_type == PT_LOAD && info->dlpi_addr + header->p_vaddr + header->p_memsz > end)
            end = info->dlpi_addr + header->p_vaddr + header->p_memsz;
        // The first object is the program itself.
        if (index == 0 && header->p_type == PT_NOTE && !build_id[0]) {
            const char *note = (const char *)(info->dlpi_addr + header->p_vaddr), *last = note + header->p_memsz;
            while (note + sizeof(ElfW(Nhdr)) <= last) {
                const ElfW(Nhdr) *head = (const void *)note;
                const char *name = note + sizeof *head;
                const unsigned char *bytes = (const unsigned char *)name + ((head->n_namesz + 3) & ~3u);
                if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
                    for (unsigned place = 0; place < head->n_descsz && place * 2 + 2 < BUILD_LENGTH; place++) {
                        build_id[place * 2] = "0123456789abcdef"[bytes[place] >> 4];
                        build_id[place * 2 + 1] = "0123456789abcdef"[bytes[place] & 15];
                    }
                    break;
                }
                note = (const char *)bytes + ((head->n_descsz + 3) & ~3u);
            }
        }
    }
    struct module *module = &modules[index];
    module->base = info->dlpi_addr;
    module->end = end;
    const char *name = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : index == 0 ? "marquee" : "?";
    copy_text(module->name, NAME_LENGTH - 1, name, strlen(name));
    atomic_store(&module_count, index + 1);
    return 0;
}

const char *marquee_build_id(void) {
    if (atomic_load(&module_count) == 0) dl_iterate_phdr(note_module, NULL);
    return build_id;
}

static void put_address(struct writer *out, uintptr_t address) {
    put_text(out, "0x");
    put_number(out, address, 16);
    int count = atomic_load(&module_count);
    for (int index = 0; index < count; index++) {
        if (address < modules[index].base || address >= modules[index].end) continue;
        put_text(out, " ");
        put(out, modules[index].name, strnlen(modules[index].name, NAME_LENGTH));
        put_text(out, "+0x");
        put_number(out, address - modules[index].base, 16);
        break;
    }
    put_text(out, "\n");
}

// MARK: The handler

enum { MOST_BYTES = 256 * 1024 };
static const int caught[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};
static char draft_path[512], record_path[512];
static _Atomic int is_crashing;

static const char *name_of(int number) {
    switch (number) {
        case SIGSEGV: return "SIGSEGV";
        case SIGBUS: return "SIGBUS";
        case SIGILL: return "SIGILL";
        case SIGFPE: return "SIGFPE";
        case SIGTRAP: return "SIGTRAP";
        case SIGSYS: return "SIGSYS";
        case SIGABRT: return "SIGABRT";
        default: return "signal";
    }
}

static void write_record(int number, const siginfo_t *information) {
    struct writer out = {open(draft_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), NULL, 0, MOST_BYTES};
    if (out.file < 0) return;
    put_head(&out, recorder, name_of(number), (uint64_t)number, nanoseconds(CLOCK_BOOTTIME), nanoseconds(CLOCK_REALTIME) / 1000000000);
    put_text(&out, "address 0x");
    put_number(&out, (uintptr_t)information->si_addr, 16);
    // Sent by another process (the service manager's watchdog), or caused by this one.
    put_text(&out, information->si_code <= 0 ? "\nsender " : "\nsender self ");
    put_number(&out, information->si_code <= 0 ? (uint64_t)information->si_pid : 0, 10);
    char thread[20] = "";
    prctl(PR_GET_NAME, thread);
    put_text(&out, "\n");
    put_field(&out, "thread", thread, sizeof thread);
    put_text(&out, "frames\n");
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES);
    for (int index = 0; index < count; index++) put_address(&out, (uintptr_t)frames[index]);
    put_rings(&out, recorder);
    fsync(out.file);
    close(out.file);
    if (rename(draft_path, record_path) == 0) atomic_store(&recorder->ended, 2);
}

static void handle(int number, siginfo_t *information, void *context) {
    (void)context;
    // The handler itself may crash or hang (on a lock of the unwinder that the crashed thread holds): the process must end
    // anyway.
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (size_t index = 0; index < sizeof caught / sizeof *caught; index++) sigaction(caught[index], &standard, NULL);
    signal(SIGALRM, SIG_DFL);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
    alarm(5);
    if (atomic_exchange(&is_crashing, 1) == 0) write_record(number, information);
    // The signal is blocked here and is raised again after this returns; a fault repeats.
    if (information->si_code <= 0 || number == SIGABRT || number == SIGTRAP || number == SIGSYS) raise(number);
}

int marquee_crash_give_up(void) {
    if (!recorder || !draft_path[0] || atomic_exchange(&is_crashing, 1) != 0) return -1;
    struct writer out = {open(draft_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), NULL, 0, MOST_BYTES};
    if (out.file < 0) return -1;
    put_head(&out, recorder, "RESTART", 0, nanoseconds(CLOCK_BOOTTIME), nanoseconds(CLOCK_REALTIME) / 1000000000);
    put_text(&out, "frames\n");
    put_rings(&out, recorder);
    fsync(out.file);
    close(out.file);
    if (rename(draft_path, record_path) < 0) return -1;
    atomic_store(&recorder->ended, 2);
    return 0;
}

int marquee_crash_catch(const char *folder, const char *version) {
    if (!recorder) marquee_flight_open(NULL);
    if (!recorder) return -1;
    copy_text(recorder->version, VERSION_LENGTH - 1, version, strlen(version));
    char digits[24];
    size_t place = sizeof digits;
    digits[--place] = 0;
    for (unsigned pid = (unsigned)getpid(); pid && place; pid /= 10) digits[--place] = "0123456789"[pid % 10];
    size_t length = strlen(folder);
    if (length + 64 > sizeof record_path) return -1;
    strcpy(record_path, folder);
    strcat(record_path, "/crash-");
    strcat(record_path, digits + place);
    strcpy(draft_path, record_path);
    strcat(record_path, ".crash");
    strcat(draft_path, ".new");
    marquee_build_id();
    // The unwinder loads and allocates its data now, and not in the handler.
    void *frames[4];
    backtrace(frames, 4);
    marquee_crash_stack();
    sigset_t abort_only;
    sigemptyset(&abort_only);
    sigaddset(&abort_only, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &abort_only, NULL);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (size_t index = 0; index < sizeof caught / sizeof *caught; index++) sigaction(caught[index], &action, NULL);
    return 0;
}

void marquee_crash_stack(void) {
    enum { SIZE = 64 * 1024 };
    void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {.ss_sp = memory, .ss_size = SIZE};
    sigaltstack(&stack, NULL);
}

// MARK: SIGABRT stays open

// Since version 2.41 the C library's abort() raises SIGABRT with the mask that its thread has, and where that blocks the signal the default action comes before
// any handler. Dispatch, PulseAudio and others block all signals in their threads, and another thread cannot open them. The definitions of a program take the
// place of the C library's for every library it loads; its own calls of abort(), of the heap's checks for example, cannot be replaced like that.

typedef int mask_call(int, const sigset_t *, sigset_t *);

static int set_mask(mask_call *call, int how, const sigset_t *set, sigset_t *old) {
    if (!set || how == SIG_UNBLOCK || sigismember(set, SIGABRT) != 1) return call(how, set, old);
    sigset_t most = *set;
    sigdelset(&most, SIGABRT);
    return call(how, &most, old);
}

static mask_call *libc_call(_Atomic(mask_call *) *known, const char *name) {
    mask_call *call = atomic_load_explicit(known, memory_order_relaxed);
    if (call) return call;
    *(void **)&call = dlsym(RTLD_NEXT, name);
    atomic_store_explicit(known, call, memory_order_relaxed);
    return call;
}

__attribute__((visibility("default"))) int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    static _Atomic(mask_call *) known;
    return set_mask(libc_call(&known, "pthread_sigmask"), how, set, old);
}

__attribute__((visibility("default"))) int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    static _Atomic(mask_call *) known;
    return set_mask(libc_call(&known, "sigprocmask"), how, set, old);
}

// MARK: The record of another process

size_t marquee_flight_leftover(const char *path, char *text) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    struct stat status;
    size_t length = 0;
    if (fstat(file, &status) == 0 && status.st_size == (off_t)sizeof(struct recorder)) {
        struct recorder *left = mmap(NULL, sizeof(struct recorder), PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
        if (left != MAP_FAILED) {
            if (left->magic == MAGIC && left->size == sizeof(struct recorder) && atomic_load(&left->ended) == 0) {
                struct writer out = {-1, text, 0, MARQUEE_LEFTOVER_SIZE};
                put_head(&out, left, "SIGKILL", SIGKILL, left->beat, left->wall);
                put_rings(&out, left);
                length = out.length;
            }
            munmap(left, sizeof(struct recorder));
        }
    }
    close(file);
    return length;
}
