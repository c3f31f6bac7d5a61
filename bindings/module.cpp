// The module only lists what is bound; each bind_* lives in the file of its own name.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_analyse(nb::module_& m);
void bind_assign(nb::module_& m);
void bind_cluster(nb::module_& m);
void bind_fields(nb::module_& m);
void bind_join(nb::module_& m);
void bind_measure(nb::module_& m);
void bind_mine(nb::module_& m);
void bind_tagger(nb::module_& m);
void bind_search(nb::module_& m);

NB_MODULE(_core, m) {
    m.doc() = "Kernels of Likewise.";
    // Caches that live as long as the process (the tagger's weights) are no leak.
    nb::set_leak_warnings(false);
    bind_analyse(m);
    bind_assign(m);
    bind_cluster(m);
    bind_join(m);
    bind_measure(m);
    bind_fields(m);
    bind_mine(m);
    bind_tagger(m);
    bind_search(m);
}
