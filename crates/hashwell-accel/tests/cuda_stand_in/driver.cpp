// A stand-in for the CUDA driver and NVRTC, for machines without a GPU. It simulates one GPU of compute capability 9.0,
// which uses the memory of the host, and whose kernels are compiled by c++ and run on the CPU. The tests copy it into a
// folder as libcuda.so and as libnvrtc.so. It shows that the host's calls are in the right order, that nothing is
// accessed after the end of a buffer, that all memory is freed, and that the kernels mean the same in CUDA C as in
// OpenCL. It shows nothing about real GPUs.
//
// Environment variables make it fail: STAND_IN_DEVICES (the number of GPUs), STAND_IN_MEMORY (the size of the device
// memory in bytes; if it is full, the error is CUDA_ERROR_OUT_OF_MEMORY), STAND_IN_LAUNCHES (after this number of
// launches, all others fail with CUDA_ERROR_LAUNCH_FAILED), STAND_IN_WRONG (kernels with this name flip a bit of their
// last buffer), STAND_IN_FULL (for example cuStreamCreate:2, whose second call fails because of too little memory),
// STAND_IN_MUTE (queries about the GPU with this number fail).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <mutex>
#include <regex>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#define API extern "C" __attribute__((visibility("default")))

enum Result { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, NOT_FOUND = 500, LAUNCH_FAILED = 719 };

static std::mutex lock;
static std::map<uintptr_t, size_t> device_memory, host_memory;
static size_t used = 0, streams = 0;
static bool lost = false;
static long launches = 0;
static thread_local void *current = nullptr;
static char the_context;

static long setting(const char *name, long otherwise) {
    const char *value = getenv(name);
    return value ? atol(value) : otherwise;
}

static bool is_full(const char *call) {
    static std::map<std::string, long> calls;
    const char *full = getenv("STAND_IN_FULL");
    return full && std::string(call) + ":" + std::to_string(++calls[call]) == full;
}

static bool is_mute(int number) { return number == setting("STAND_IN_MUTE", -1); }

#define CHECKED std::lock_guard<std::mutex> held(lock); if (lost) return LAUNCH_FAILED; if (current != &the_context) return INVALID_VALUE

API int cuInit(unsigned) { return setting("STAND_IN_DEVICES", 1) == 0 ? NO_DEVICE : SUCCESS; }
API int cuDriverGetVersion(int *version) { *version = 13000; return SUCCESS; }
API int cuDeviceGetCount(int *count) { *count = (int)setting("STAND_IN_DEVICES", 1); return SUCCESS; }
API int cuDeviceGet(int *device, int number) { *device = number; return SUCCESS; }
API int cuDeviceGetName(char *name, int bytes, int number) {
    if (is_mute(number)) return INVALID_VALUE;
    snprintf(name, (size_t)bytes, "Stand-in");
    return SUCCESS;
}
API int cuDeviceTotalMem_v2(size_t *bytes, int number) {
    if (is_mute(number)) return INVALID_VALUE;
    *bytes = (size_t)setting("STAND_IN_MEMORY", 1L << 26);
    return SUCCESS;
}
API int cuDeviceGetAttribute(int *value, int attribute, int number) {
    if (is_mute(number)) return INVALID_VALUE;
    *value = attribute == 16 ? 2 : attribute == 75 ? 9 : 0; // multiprocessors; compute capability, major and minor
    return SUCCESS;
}
API int cuGetErrorName(int error, const char **name) {
    *name = error == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : error == LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
          : error == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_INVALID_VALUE";
    return SUCCESS;
}
API int cuGetErrorString(int error, const char **text) { return cuGetErrorName(error, text); }

API int cuDevicePrimaryCtxRetain(void **context, int) { *context = &the_context; return SUCCESS; }
API int cuDevicePrimaryCtxRelease_v2(int) {
    std::lock_guard<std::mutex> held(lock);
    if (!lost && (!device_memory.empty() || !host_memory.empty() || streams)) {
        fprintf(stderr, "stand-in: %zu buffers, %zu pinned buffers and %zu streams are left\n", device_memory.size(),
                host_memory.size(), streams);
    }
    return SUCCESS;
}
API int cuCtxSetCurrent(void *context) { current = context; return SUCCESS; }
API int cuCtxGetCurrent(void **context) { *context = current; return SUCCESS; }
API int cuCtxSynchronize() { return SUCCESS; }

API int cuStreamCreate(void **stream, unsigned) {
    CHECKED;
    if (is_full("cuStreamCreate")) return OUT_OF_MEMORY;
    streams++;
    *stream = malloc(1);
    return SUCCESS;
}
API int cuStreamDestroy_v2(void *stream) { std::lock_guard<std::mutex> held(lock); streams--; free(stream); return SUCCESS; }
API int cuStreamSynchronize(void *) { CHECKED; return SUCCESS; }

static size_t pages(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

// A buffer ends directly before an inaccessible page, apart from the bytes that align its beginning to 16.
static char *first_page(uintptr_t at) { return (char *)(at / pages(1) * pages(1)); }
API int cuMemAlloc_v2(uintptr_t *at, size_t bytes) {
    CHECKED;
    if (bytes == 0) return INVALID_VALUE;
    if (used + bytes > (size_t)setting("STAND_IN_MEMORY", 1L << 26)) return OUT_OF_MEMORY;
    size_t room = pages(bytes), page = pages(1);
    void *start = mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return OUT_OF_MEMORY;
    mprotect((char *)start + room, page, PROT_NONE);
    memset(start, 0xa5, room); // The memory of a GPU is not zeroed.
    *at = (uintptr_t)start + room - (bytes + 15) / 16 * 16;
    device_memory[*at] = bytes;
    used += bytes;
    return SUCCESS;
}
API int cuMemFree_v2(uintptr_t at) {
    std::lock_guard<std::mutex> held(lock);
    auto found = device_memory.find(at);
    if (found == device_memory.end()) return INVALID_VALUE;
    munmap(first_page(at), pages(found->second) + pages(1));
    used -= found->second;
    device_memory.erase(found);
    return SUCCESS;
}
API int cuMemHostAlloc(void **at, size_t bytes, unsigned) {
    CHECKED;
    *at = malloc(bytes);
    memset(*at, 0x5a, bytes);
    host_memory[(uintptr_t)*at] = bytes;
    return SUCCESS;
}
API int cuMemFreeHost(void *at) {
    std::lock_guard<std::mutex> held(lock);
    if (host_memory.erase((uintptr_t)at) == 0) return INVALID_VALUE;
    free(at);
    return SUCCESS;
}

static bool inside(const std::map<uintptr_t, size_t> &memory, uintptr_t at, size_t bytes) {
    auto found = memory.find(at);
    return found != memory.end() && bytes <= found->second;
}
API int cuMemcpyHtoDAsync_v2(uintptr_t to, const void *from, size_t bytes, void *) {
    CHECKED;
    if (!inside(device_memory, to, bytes) || !inside(host_memory, (uintptr_t)from, bytes)) return INVALID_VALUE;
    memcpy((void *)to, from, bytes);
    return SUCCESS;
}
API int cuMemcpyDtoHAsync_v2(void *to, uintptr_t from, size_t bytes, void *) {
    CHECKED;
    if (!inside(device_memory, from, bytes) || !inside(host_memory, (uintptr_t)to, bytes)) return INVALID_VALUE;
    memcpy(to, (void *)from, bytes);
    return SUCCESS;
}

// Here, a module is the path of a shared library.
API int cuModuleLoadData(void **module, const void *image) {
    CHECKED;
    bool full = is_full("cuModuleLoadData");
    *module = full ? nullptr : dlopen(static_cast<const char *>(image), RTLD_NOW | RTLD_LOCAL);
    unlink(static_cast<const char *>(image));
    return full ? OUT_OF_MEMORY : *module ? SUCCESS : INVALID_VALUE;
}
API int cuModuleUnload(void *module) { dlclose(module); return SUCCESS; }

struct Function {
    void (*run)(void **, unsigned, unsigned);
    unsigned args;
    bool wrong;
};
API int cuModuleGetFunction(void **function, void *module, const char *name) {
    CHECKED;
    std::string launched = std::string("launch_") + name, counted = std::string("args_") + name;
    auto run = reinterpret_cast<void (*)(void **, unsigned, unsigned)>(dlsym(module, launched.c_str()));
    auto args = static_cast<const unsigned *>(dlsym(module, counted.c_str()));
    if (!run || !args) return NOT_FOUND;
    const char *wrong = getenv("STAND_IN_WRONG");
    *function = new Function{run, *args, wrong && !strcmp(wrong, name)};
    return SUCCESS;
}
API int cuLaunchKernel(void *function, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned ty,
                       unsigned tz, unsigned, void *, void **args, void **) {
    CHECKED;
    if (y != 1 || z != 1 || ty != 1 || tz != 1 || blocks == 0) return INVALID_VALUE;
    if (is_full("cuLaunchKernel")) return OUT_OF_MEMORY;
    if (launches++ >= setting("STAND_IN_LAUNCHES", 1L << 60)) {
        lost = true;
        return LAUNCH_FAILED;
    }
    const Function &made = *static_cast<Function *>(function);
    made.run(args, blocks, threads);
    if (made.wrong) {
        // The last argument is the number of items. The last buffer argument before it is the one that the kernel
        // writes.
        for (unsigned i = made.args - 1; i-- > 0;) {
            uintptr_t at = *static_cast<uintptr_t *>(args[i]);
            if (device_memory.count(at)) {
                *reinterpret_cast<unsigned char *>(at) ^= 1;
                break;
            }
        }
    }
    return SUCCESS;
}

// NVRTC. It returns the path of a shared library instead of machine code.
struct Program {
    std::string source, log, path;
};
API int nvrtcVersion(int *major, int *minor) { *major = 13, *minor = 0; return SUCCESS; }
API const char *nvrtcGetErrorString(int) { return "an error of the stand-in's"; }
API int nvrtcGetNumSupportedArchs(int *count) { *count = 2; return SUCCESS; }
API int nvrtcGetSupportedArchs(int *known) { known[0] = 75, known[1] = 90; return SUCCESS; }
API int nvrtcCreateProgram(void **program, const char *source, const char *, int, const char *const *,
                           const char *const *) {
    *program = new Program{source, "", ""};
    return SUCCESS;
}
API int nvrtcDestroyProgram(void **program) {
    delete static_cast<Program *>(*program);
    *program = nullptr;
    return SUCCESS;
}
API int nvrtcCompileProgram(void *given, int count, const char *const *options) {
    Program &program = *static_cast<Program *>(given);
    bool known = false;
    for (int i = 0; i < count; i++) known = known || !strcmp(options[i], "--gpu-architecture=sm_90");
    if (!known) return 5; // NVRTC_ERROR_INVALID_OPTION
    std::ifstream shim(STAND_IN_KERNELS);
    std::stringstream text;
    text << shim.rdbuf() << program.source << '\n';
    static const std::regex kernel("KERNEL\\s+void\\s+(\\w+)\\s*\\(([^)]*)\\)");
    for (std::sregex_iterator at(program.source.begin(), program.source.end(), kernel), end; at != end; ++at) {
        std::string name = (*at)[1], args = (*at)[2];
        long commas = std::count(args.begin(), args.end(), ',');
        text << "extern \"C\" { extern const unsigned args_" << name << "; const unsigned args_" << name << " = "
             << commas + 1 << "; }\nextern \"C\" void launch_" << name
             << "(void **args, unsigned blocks, unsigned threads) { launch(" << name << ", args, blocks, threads); }\n";
    }
    char path[] = "/tmp/hashwell-stand-in-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) return 1;
    close(file);
    std::string source = std::string(path) + ".cpp", log = std::string(path) + ".log";
    std::ofstream(source) << text.str();
    std::string command = "c++ -std=c++17 -O2 -w -shared -fPIC -o " + std::string(path) + " " + source + " 2> " + log;
    int failed = system(command.c_str());
    std::stringstream said;
    said << std::ifstream(log).rdbuf();
    program.log = said.str();
    unlink(source.c_str());
    unlink(log.c_str());
    program.path = path;
    if (failed) unlink(path);
    return failed ? 6 : SUCCESS; // NVRTC_ERROR_COMPILATION
}
static const std::string &log_of(void *program) { return static_cast<Program *>(program)->log; }
static const std::string &path_of(void *program) { return static_cast<Program *>(program)->path; }
API int nvrtcGetProgramLogSize(void *program, size_t *bytes) { *bytes = log_of(program).size() + 1; return SUCCESS; }
API int nvrtcGetProgramLog(void *program, char *to) { strcpy(to, log_of(program).c_str()); return SUCCESS; }
API int nvrtcGetCUBINSize(void *program, size_t *bytes) { *bytes = path_of(program).size() + 1; return SUCCESS; }
API int nvrtcGetCUBIN(void *program, char *to) { strcpy(to, path_of(program).c_str()); return SUCCESS; }
