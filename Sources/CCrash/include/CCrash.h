// What may be done inside a crash: a flight recorder in memory that outlives the process, and a signal handler that writes
// a bounded record with nothing but async-signal-safe calls (signal-safety(7)).
#pragma once
#include <stdint.h>
#include <stddef.h>

/// Lines that the recorder keeps, and how long each may be.
#define MARQUEE_LOG_LINES 200
#define MARQUEE_LOG_LENGTH 240
/// Entries of the presentation log: five seconds at 60 Hz and some more.
#define MARQUEE_FLIP_LINES 320
#define MARQUEE_FLIP_LENGTH 88

/// Maps the recorder: shared memory in a file, so that it is there after a SIGKILL as well, or without a path private memory. Called once, before any other call.
/// Answers 0, or -1 with errno; then memory without a file is used.
int marquee_flight_open(const char *path);
/// Adds a line to the log ring. Any thread; no lock, no allocation.
void marquee_flight_log(const char *text, size_t length);
/// Adds an entry to the presentation ring. Any thread; no lock, no allocation.
void marquee_flight_flip(const char *text, size_t length);
/// Says what is being played; empty for nothing. One thread at a time.
void marquee_flight_item(const char *text, size_t length);
/// Says that the process ends in order.
void marquee_flight_close(void);

/// Catches SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS and SIGABRT from now on and writes FOLDER/crash-PID.crash. The process then ends by the same signal.
/// Answers 0, or -1 where the folder's name is too long.
int marquee_crash_catch(const char *folder, const char *version);
/// Writes the record of a process that ends by its own wish because it cannot go on: its signal is 0 RESTART. Answers 0, or -1 where nothing could be written.
int marquee_crash_give_up(void);
/// Gives the calling thread a stack of its own for the handler: a stack overflow can only be recorded where there is one.
void marquee_crash_stack(void);
/// The build id of the program as hexadecimal digits, empty where it has none.
const char *marquee_build_id(void);

/// What another process's recorder says. `text` must hold MARQUEE_LEFTOVER_SIZE bytes.
#define MARQUEE_LEFTOVER_SIZE (128 * 1024)
/// Reads the recorder that a process left in a file: its record's text without frames, if it did not end in order and its record was not written.
/// Answers the length, 0 where there is nothing to tell.
size_t marquee_flight_leftover(const char *path, char *text);
