// Long core calls from Python: GIL released, Ctrl-C and the progress callback polled, the first exception wins.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "parallel.hpp"

namespace likewise {

// Runs body(control) on a thread of its own while this one, which holds the GIL only for moments, looks for signals and
// calls progress(done, total) ten times a second. An exception raised by either stops the work and is what Python sees.
template <class Body>
void run(nanobind::handle progress, Body&& body) {
    namespace nb = nanobind;
    Control control;
    std::exception_ptr failure;
    std::mutex guard;
    std::condition_variable changed;
    bool finished = false;
    bool interrupted = false;  // a Python exception is set and waits to be raised
    nb::object kind, value, trace;
    {
        nb::gil_scoped_release release;
        std::thread worker([&] {
            try {
                body(control);
            } catch (...) {
                failure = std::current_exception();
            }
            std::lock_guard lock(guard);
            finished = true;
            changed.notify_all();
        });
        std::unique_lock lock(guard);
        while (!changed.wait_for(lock, std::chrono::milliseconds(100), [&] { return finished; })) {
            if (interrupted) continue;
            lock.unlock();
            {
                nb::gil_scoped_acquire acquire;
                bool ok = PyErr_CheckSignals() == 0;
                if (ok && progress.is_valid() && !progress.is_none()) {
                    PyObject* answer = PyObject_CallFunction(progress.ptr(), "LL", (long long)control.done.load(),
                                                             (long long)control.total.load());
                    ok = answer != nullptr;
                    Py_XDECREF(answer);
                }
                if (!ok) {
                    PyObject *k, *v, *t;
                    PyErr_Fetch(&k, &v, &t);
                    kind = nb::steal(k);
                    value = nb::steal(v);
                    trace = nb::steal(t);
                    interrupted = true;
                    control.stop = true;
                }
            }
            lock.lock();
        }
        lock.unlock();
        worker.join();
    }
    if (interrupted) {
        PyErr_Restore(kind.release().ptr(), value.release().ptr(), trace.release().ptr());
        throw nb::python_error();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace likewise
