// Crash recording: a flight recorder in memory that outlives the process, and a signal handler that writes a bounded record with
// only async-signal-safe calls (signal-safety(7)).
#pragma once
#include <stdint.h>
#include <stddef.h>

/// The lines that the recorder keeps, and their longest length.
#define MARQUEE_LOG_LINES 200
#define MARQUEE_LOG_LENGTH 240
/// Entries of the presentation log: slightly more than five seconds at 60 Hz.
#define MARQUEE_FLIP_LINES 320
#define MARQUEE_FLIP_LENGTH 88

/// Maps the recorder: shared memory in a file, so that it survives a SIGKILL, or private memory without a path. Called once,
/// before any other call. Returns 0, or -1 with errno; then private memory is used.
int marquee_flight_open(const char *path);
/// Adds a line to the log ring. Any thread; no lock, no allocation.
void marquee_flight_log(const char *text, size_t length);
/// Adds an entry to the presentation ring. Any thread; no lock, no allocation.
void marquee_flight_flip(const char *text, size_t length);
/// Sets the playing item; empty for none. One thread at a time.
void marquee_flight_item(const char *text, size_t length);
/// Marks the process as ended properly.
void marquee_flight_close(void);

/// Catches SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS and SIGABRT from now on and writes FOLDER/crash-PID.crash. The
/// process then ends with the same signal. Returns 0, or -1 if the folder's name is too long.
///
/// No thread of a program with this module can block SIGABRT with pthread_sigmask(3) or sigprocmask(2); the calling one unblocks it.
int marquee_crash_catch(const char *folder, const char *version);
/// Writes the record of a process that ends deliberately because it cannot continue: its signal is 0 RESTART. Returns 0, or -1 if
/// nothing could be written.
int marquee_crash_give_up(void);
/// Gives the calling thread an alternate stack for the handler: a stack overflow can only be recorded with one.
void marquee_crash_stack(void);
/// The build id of the program in hexadecimal, empty if it has none.
const char *marquee_build_id(void);

/// The content of another process's recorder. `text` must hold MARQUEE_LEFTOVER_SIZE bytes.
#define MARQUEE_LEFTOVER_SIZE (128 * 1024)
/// Reads the recorder that a process left in a file: its record's text without frames, if it did not end properly and its record
/// was not written. Returns the length, 0 if there is nothing to report.
size_t marquee_flight_leftover(const char *path, char *text);
