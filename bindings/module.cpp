// The module only lists what is bound; each bind_* lives in the file of its own name.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_analyse(nb::module_& m);
void bind_join(nb::module_& m);
void bind_measure(nb::module_& m);

NB_MODULE(_core, m) {
    m.doc() = "Kernels of Likewise.";
    bind_analyse(m);
    bind_join(m);
    bind_measure(m);
}
