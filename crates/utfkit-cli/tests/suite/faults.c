// Makes one system call of a kind fail.
//
// The command calls the kernel without libc at times, so a function that takes the place of libc's would miss
// renames, for example. Here a seccomp filter raises SIGSYS at each call of the kinds below, and its handler fails
// the call, cuts it short, or makes it from `call`, which the filter lets through.
//
// UTFKIT_FAULT=KIND:N:ERRNO:HOW lets the N-th call of KIND fail. HOW is `once`; `on`, for this call and all after it;
// `short`, which halves the length and fails nothing; or `late`, which makes the call and fails it then.
// UTFKIT_FAULT_COUNTS names a file of 32-bit numbers: the calls of each kind, and then the faults.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static const char *const KINDS[] = {"write", "sync", "rename", "link", "unlink", "open", "read", "stat", "truncate",
                                    "mode", "mkdir", "copy", "list", "attribute", "lock", "time", "seek", "copy-fd"};
enum { WRITE, SYNC, RENAME, LINK, UNLINK, OPEN, READ, STAT, TRUNCATE, MODE, MKDIR, COPY, LIST, ATTRIBUTE, LOCK, TIME, SEEK,
       COPY_FD, COUNT };

static const struct { long number; int kind; } CALLS[] = {
    {SYS_write, WRITE}, {SYS_pwrite64, WRITE}, {SYS_writev, WRITE}, {SYS_fsync, SYNC}, {SYS_fdatasync, SYNC},
    {SYS_renameat, RENAME}, {SYS_renameat2, RENAME}, {SYS_linkat, LINK}, {SYS_unlinkat, UNLINK}, {SYS_openat, OPEN},
    {SYS_read, READ}, {SYS_pread64, READ}, {SYS_readv, READ}, {SYS_statx, STAT}, {SYS_newfstatat, STAT},
    {SYS_fstat, STAT}, {SYS_ftruncate, TRUNCATE}, {SYS_fchmod, MODE}, {SYS_fchown, MODE}, {SYS_mkdirat, MKDIR},
    {SYS_copy_file_range, COPY}, {SYS_sendfile, COPY}, {SYS_getdents64, LIST}, {SYS_flistxattr, ATTRIBUTE},
    {SYS_fgetxattr, ATTRIBUTE}, {SYS_fsetxattr, ATTRIBUTE}, {SYS_listxattr, ATTRIBUTE}, {SYS_getxattr, ATTRIBUTE},
    {SYS_llistxattr, ATTRIBUTE}, {SYS_lgetxattr, ATTRIBUTE}, {SYS_flock, LOCK}, {SYS_utimensat, TIME}, {SYS_lseek, SEEK},
    {SYS_dup, COPY_FD}, {SYS_fcntl, COPY_FD},
#ifdef SYS_rename
    {SYS_rename, RENAME}, {SYS_link, LINK}, {SYS_unlink, UNLINK}, {SYS_open, OPEN}, {SYS_stat, STAT}, {SYS_lstat, STAT},
    {SYS_mkdir, MKDIR},
#endif
};
enum { CALL_COUNT = sizeof CALLS / sizeof *CALLS };

static int kind, error;
static uint32_t at;
static char how[8];
static uint32_t *counts;

// Calls the kernel. The filter knows it by the address after the instruction.
long call(long number, const uint64_t *arguments);
extern const char call_end[];
#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
__asm__(".globl call, call_end\ncall: mov %rdi, %rax\nmov %rsi, %r11\nmov (%r11), %rdi\nmov 8(%r11), %rsi\n"
        "mov 16(%r11), %rdx\nmov 24(%r11), %r10\nmov 32(%r11), %r8\nmov 40(%r11), %r9\nsyscall\ncall_end: ret\n");
#define RESULT(context) (context)->uc_mcontext.gregs[REG_RAX]
#define ARGUMENTS(context)                                                                                              \
    { (context)->uc_mcontext.gregs[REG_RDI], (context)->uc_mcontext.gregs[REG_RSI],                                     \
      (context)->uc_mcontext.gregs[REG_RDX], (context)->uc_mcontext.gregs[REG_R10],                                     \
      (context)->uc_mcontext.gregs[REG_R8], (context)->uc_mcontext.gregs[REG_R9] }
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
__asm__(".globl call, call_end\ncall: mov x8, x0\nmov x9, x1\nldp x0, x1, [x9]\nldp x2, x3, [x9, 16]\n"
        "ldp x4, x5, [x9, 32]\nsvc 0\ncall_end: ret\n");
#define RESULT(context) (context)->uc_mcontext.regs[0]
#define ARGUMENTS(context)                                                                                              \
    { (context)->uc_mcontext.regs[0], (context)->uc_mcontext.regs[1], (context)->uc_mcontext.regs[2],                   \
      (context)->uc_mcontext.regs[3], (context)->uc_mcontext.regs[4], (context)->uc_mcontext.regs[5] }
#endif

static void trapped(int signal, siginfo_t *info, void *at_call) {
    (void)signal;
    ucontext_t *context = at_call;
    uint64_t arguments[6] = ARGUMENTS(context);
    long number = info->si_syscall;
    int of = -1;
    for (int i = 0; i < CALL_COUNT; i++)
        if (CALLS[i].number == number) of = CALLS[i].kind;
    // Messages to standard error have to arrive, and of `fcntl` only what copies a descriptor is meant.
    int counted = !(of == WRITE && arguments[0] == 2)
                  && !(number == SYS_fcntl && arguments[1] != F_DUPFD_CLOEXEC && arguments[1] != F_DUPFD);
    int fails = 0;
    if (counted) {
        uint32_t n = __atomic_add_fetch(&counts[of], 1, __ATOMIC_RELAXED);
        fails = of == kind && (n == at || (n > at && how[0] == 'o' && how[1] == 'n' && !how[2]));
    }
    if (fails) __atomic_add_fetch(&counts[COUNT], 1, __ATOMIC_RELAXED);
    if (fails && how[0] == 's') {
        // The length is the fifth argument of copy_file_range, the fourth of sendfile, and the third of the others.
        int length = number == SYS_copy_file_range ? 4 : number == SYS_sendfile ? 3 : 2;
        if (number != SYS_writev && number != SYS_readv && arguments[length] > 1) arguments[length] /= 2;
        fails = 0;
    }
    long result = fails && how[0] != 'l' ? 0 : call(number, arguments);
    RESULT(context) = fails && result >= 0 ? -error : result;
}

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("UTFKIT_FAULT"), *file = getenv("UTFKIT_FAULT_COUNTS");
    if (!fault || !file) return;
    char name[16];
    if (sscanf(fault, "%15[^:]:%u:%d:%7s", name, &at, &error, how) != 4) abort();
    for (kind = 0; kind < COUNT && strcmp(KINDS[kind], name); kind++) {}
    int open_file = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (open_file < 0 || ftruncate(open_file, (COUNT + 1) * sizeof *counts)) abort();
    counts = mmap(0, (COUNT + 1) * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, open_file, 0);
    if (counts == MAP_FAILED) abort();
    close(open_file);
    struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSYS, &action, 0);
    struct sock_filter filter[8 + CALL_COUNT + 2];
    uint64_t end = (uint64_t)(uintptr_t)call_end;
    int n = 0;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 5 + CALL_COUNT);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                               offsetof(struct seccomp_data, instruction_pointer));
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)end, 0, 2);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                               offsetof(struct seccomp_data, instruction_pointer) + 4);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(end >> 32), 1 + CALL_COUNT, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALL_COUNT; i++)
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)CALLS[i].number, CALL_COUNT - i, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    struct sock_fprog program = {.len = (unsigned short)n, .filter = filter};
    // Where that is not allowed, the counts stay zero, and the test says so.
    if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
