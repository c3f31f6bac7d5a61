// Long core calls from Python: GIL released; Ctrl-C, a request that was given up and the progress callback polled; the
// first exception wins.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "parallel.hpp"

namespace likewise {

// A body at work on a thread of its own.
template <class Body>
class Work {
public:
    Work(Body& body, bool others_first)
        : control{.others_first = others_first}, thread_([this, &body] {
              WorkingFor whom(control);
              try {
                  body(control);
              } catch (...) {
                  failure_ = std::current_exception();
              }
              std::lock_guard lock(guard_);
              finished_ = true;
              changed_.notify_all();
          }) {}

    // Whether it finished within the time.
    bool wait(std::chrono::milliseconds time) {
        std::unique_lock lock(guard_);
        return changed_.wait_for(lock, time, [&] { return finished_; });
    }
    void join() { thread_.join(); }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

    Control control;

private:
    std::exception_ptr failure_;
    std::mutex guard_;
    std::condition_variable changed_;
    bool finished_ = false;
    std::thread thread_;  // last: it uses all the others
};

// Looks for signals, and whether the caller was told to stop, or to let others go first (likewise/progress.py); calls
// progress(done, total), as soon as there is a total. Holds the GIL.
inline void look(nanobind::handle progress, Control& control) {
    if (PyErr_CheckSignals()) throw nanobind::python_error();
    nanobind::object last = nanobind::module_::import_("likewise.progress").attr("stop_if_asked")();
    if (nanobind::cast<bool>(last)) control.others_first = true;
    std::int64_t done = control.done, total = control.total;
    if (progress.is_valid() && !progress.is_none() && total > 0) progress(done, total);
}

// Runs body(control) on a thread of its own while this one, which holds the GIL only for moments, looks around ten
// times a second. An exception raised there stops the work and is what Python sees.
template <class Body>
void run(nanobind::handle progress, Body&& body) {
    Control known;  // who takes long lets others go first from the start, not when it has been in their way
    look(nanobind::none(), known);
    std::exception_ptr interrupted;  // a Python exception that waits to be raised; let go with the GIL held
    {
        nanobind::gil_scoped_release release;
        Work work(body, known.others_first);
        while (!work.wait(std::chrono::milliseconds(100))) {
            if (interrupted) continue;
            nanobind::gil_scoped_acquire acquire;
            try {
                look(progress, work.control);
            } catch (...) {
                interrupted = std::current_exception();
                work.control.stop = true;
            }
        }
        work.join();
        if (!interrupted) work.rethrow();
    }
    if (interrupted) std::rethrow_exception(interrupted);
}

// Work of less than so many pairs is done at once, without threads and without looking for signals.
inline constexpr std::int64_t kSmall = 4096;

template <class Body>
void run_sized(std::int64_t pairs, nanobind::handle progress, Body&& body) {
    if (pairs > kSmall) return run(progress, body);
    Control control;
    body(control);
}

}  // namespace likewise
