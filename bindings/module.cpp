// The module only lists what is bound; each bind_* lives in the file of its own name.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_analyse(nb::module_& m);
void bind_assign(nb::module_& m);
void bind_cluster(nb::module_& m);
void bind_dot(nb::module_& m);
void bind_fields(nb::module_& m);
void bind_fit(nb::module_& m);
void bind_join(nb::module_& m);
void bind_mine(nb::module_& m);
void bind_rivals(nb::module_& m);
void bind_scorer(nb::module_& m);
void bind_search(nb::module_& m);
void bind_soft(nb::module_& m);
void bind_spectra(nb::module_& m);
void bind_tagger(nb::module_& m);

NB_MODULE(_core, m) {
    m.doc() = "Kernels of Likewise.";
    // Several calls count on Python's lock to have one writer at a time. A build of Python without it takes the lock up
    // when it imports this module, unless it is told not to.
    nb::object has_lock = nb::getattr(nb::module_::import_("sys"), "_is_gil_enabled", nb::none());
    if (!has_lock.is_none() && !nb::cast<bool>(has_lock()))
        throw nb::import_error("likewise needs Python's global lock: do not run it with PYTHON_GIL=0 or -X gil=0");
    // Caches that live as long as the process (the tagger's weights) are no leak.
    nb::set_leak_warnings(false);
    bind_analyse(m);
    bind_assign(m);
    bind_cluster(m);
    bind_rivals(m);
    bind_scorer(m);
    bind_dot(m);
    bind_spectra(m);
    bind_soft(m);
    bind_join(m);
    bind_fields(m);
    bind_fit(m);
    bind_tagger(m);
    bind_mine(m);
    bind_search(m);
}
