// Hot kernels are compiled for several instruction sets and chosen when the library loads. Contraction is off, so every
// variant computes the same bits.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LIKEWISE_DISPATCH __attribute__((target_clones("avx2", "default")))
#else
#define LIKEWISE_DISPATCH
#endif
