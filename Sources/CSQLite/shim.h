// SQLite: databases in files.
#pragma once
#include <sqlite3.h>

/// `sqlite3_bind_text64` with a copy of the text: SQLITE_TRANSIENT is a cast in C.
static inline int marquee_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
    return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// The main file of a connection as SQLite has opened it (SQLITE_FCNTL_FILE_POINTER); NULL: it has none.
static inline sqlite3_file *marquee_sqlite_file(sqlite3 *connection) {
    sqlite3_file *file = 0;
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return file && file->pMethods ? file : 0;
}

static inline int marquee_sqlite_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return file->pMethods->xFileSize(file, size);
}

static inline int marquee_sqlite_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    return file->pMethods->xRead(file, buffer, count, offset);
}
