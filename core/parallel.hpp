// Work in blocks on several threads: dynamic scheduling, the first exception wins, a flag stops everything.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "portable.hpp"

namespace likewise {

// Shared between the thread that asked for the work and those that do it.
struct Control {
    std::atomic<bool> stop{false};
    std::atomic<bool> others_first{false};  // work that takes long, while others wait for theirs
    std::atomic<std::int64_t> done{0};
    std::atomic<std::int64_t> total{0};
};

// Thrown inside the core when Control::stop was set.
struct Stopped : std::runtime_error {
    Stopped() : std::runtime_error("stopped") {}
};

// For whom this thread works, so that long work deep inside (a pair of texts of thousands of terms) can look whether to
// stop; null where nobody can ask for it.
inline thread_local const Control* working_for = nullptr;

class WorkingFor {
public:
    explicit WorkingFor(const Control& control) : before_(working_for) { working_for = &control; }
    WorkingFor(const WorkingFor&) = delete;
    WorkingFor& operator=(const WorkingFor&) = delete;
    ~WorkingFor() { working_for = before_; }

private:
    const Control* before_;
};

// Threads of the core end with their call, and with them that others go first.
inline void stop_if_asked() {
    if (!working_for) return;
    if (working_for->stop) throw Stopped();
    static thread_local bool last = false;
    if (last || !working_for->others_first) return;
    let_others_first();
    last = true;
}

// 0 or less asks for every core of the machine. More than a thousand is taken for a slip: it would only cost memory.
inline int thread_count(int wanted) {
    constexpr int kMost = 1024;
    if (wanted > 0) return std::min(wanted, kMost);
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, static_cast<unsigned>(kMost)));
}

// Calls body(block, worker) for every block in [0, blocks). Which worker takes which block is not determined, so bodies
// write only to places of their own block (or merge per-worker state in an order-free way). control.done counts blocks.
template <class Body>
void parallel_blocks(std::int64_t blocks, int threads, Control& control, Body&& body) {
    threads = static_cast<int>(std::min<std::int64_t>(thread_count(threads), std::max<std::int64_t>(blocks, 1)));
    control.total += blocks;
    std::atomic<std::int64_t> next{0};
    std::exception_ptr first;
    std::mutex guard;
    auto work = [&](int worker) {
        WorkingFor whom(control);
        try {
            for (std::int64_t block; (block = next++) < blocks;) {
                stop_if_asked();
                body(block, worker);
                ++control.done;
            }
        } catch (...) {
            std::lock_guard lock(guard);
            if (!first) first = std::current_exception();
            next = blocks;
        }
    };
    std::vector<std::thread> team;
    team.reserve(static_cast<std::size_t>(threads));
    try {
        for (int worker = 1; worker < threads; ++worker) team.emplace_back(work, worker);
    } catch (const std::system_error&) {  // the system gives no more: those that are there do the work
    }
    work(0);
    for (auto& member : team) member.join();
    if (first) std::rethrow_exception(first);
}

}  // namespace likewise
