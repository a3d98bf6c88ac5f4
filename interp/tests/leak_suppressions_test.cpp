// What LeakSanitizer leaves out in this test program: LLVM's OpenMP run time keeps the thread table
// that it outgrew when a launch asks for more threads than the one before. Nothing of ours is
// named.
extern "C" const char* __lsan_default_suppressions();

extern "C" const char* __lsan_default_suppressions() { return "leak:libomp.so\n"; }
