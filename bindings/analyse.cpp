#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_analyse(nb::module_& m) { (void)m; }
