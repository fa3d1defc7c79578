/* A plugin for qemu-user (API version 1: qemu 4.2 to 8.2) that counts the
 * instructions executed by a program between its writes to standard output.
 *
 *     gcc -O2 -shared -fPIC -o count.so count.c
 *     qemu-aarch64 -plugin ./count.so,counts=FILE PROGRAM
 *     qemu-aarch64 -plugin ./count.so,counts=FILE,trace=FILE PROGRAM
 *
 * `counts` receives a line for each write: the number of instructions executed
 * so far. `trace` receives a line for each interval from the second to the third
 * write, the fifth to the sixth and so on: instructions from its middle, as
 * hexadecimal words.
 *
 * No Debian package contains qemu-plugin.h, so the declarations are copied here.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, enum qemu_plugin_op op, void *to, uint64_t by);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, void (*cb)(unsigned cpu, void *data),
                                          enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id,
                                          void (*cb)(qemu_plugin_id_t, unsigned cpu, int64_t number, uint64_t a1,
                                                     uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, void *), void *data);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

/* The number of write(2) on AArch64. */
enum { WRITE = 64, STANDARD_OUTPUT = 1 };

/* Approximate number of instructions in a line of the trace. */
enum { SAMPLE = 4000 };

/* A translated block: instructions without jumps into or out of the middle. */
struct block {
    size_t count;
    uint32_t words[];
};

static uint64_t executed;
static FILE *counts, *trace;

/* The blocks executed since the last write. */
static struct block **path;
static size_t path_len, path_capacity;
static unsigned writes;

static void on_block(unsigned cpu, void *block) {
    (void)cpu;
    if (path_len == path_capacity) {
        path_capacity = path_capacity ? 2 * path_capacity : 1 << 16;
        path = realloc(path, path_capacity * sizeof *path);
        if (!path) abort();
    }
    path[path_len++] = block;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(tb);
    qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &executed, count);
    if (!trace) return;
    struct block *block = malloc(sizeof *block + count * sizeof(uint32_t));
    if (!block) abort();
    block->count = count;
    for (size_t i = 0; i < count; i++)
        memcpy(&block->words[i], qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, i)), sizeof(uint32_t));
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, block);
}

static void write_sample(void) {
    uint64_t all = 0, before = 0, taken = 0;
    for (size_t i = 0; i < path_len; i++) all += path[i]->count;
    for (size_t i = 0; i < path_len && taken < SAMPLE; i++) {
        if (before >= (all > SAMPLE ? (all - SAMPLE) / 2 : 0)) {
            for (size_t j = 0; j < path[i]->count; j++) fprintf(trace, "%08x ", path[i]->words[j]);
            taken += path[i]->count;
        }
        before += path[i]->count;
    }
    fputc('\n', trace);
}

static void on_syscall(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t to, uint64_t a2, uint64_t a3,
                       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
    (void)id, (void)cpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number != WRITE || to != STANDARD_OUTPUT) return;
    fprintf(counts, "%llu\n", (unsigned long long)executed);
    if (trace && ++writes % 3 == 0) write_sample();
    path_len = 0;
}

static void at_exit(qemu_plugin_id_t id, void *data) {
    (void)id, (void)data;
    fclose(counts);
    if (trace) fclose(trace);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                                               char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "counts=", 7) == 0) counts = fopen(argv[i] + 7, "w");
        if (strncmp(argv[i], "trace=", 6) == 0) trace = fopen(argv[i] + 6, "w");
    }
    if (!counts) return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
