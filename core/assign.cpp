#include "assign.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace likewise {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Left texts are taken one by one; for each, a shortest alternating path (Dijkstra on the slacks, which the duals keep
// non-negative) leads to a right that is free, or to a left that is better left alone. The search touches only the
// neighbourhood of the path, so components need not be told apart.
class Solver {
public:
    Solver(const Candidates& candidates, std::int64_t rights)
        : candidates_(candidates),
          owner_(rights, -1),
          distance_(rights, infinity),
          from_(rights, -1),
          settled_(rights, 0) {
        result_.match.assign(candidates.size(), -1);
        result_.left_dual.assign(candidates.size(), 0);
        result_.right_dual.assign(rights, 0);
    }

    void insert(std::int64_t root) {
        double& dual = result_.left_dual[root];
        for (std::int64_t e = candidates_.indptr[root]; e < candidates_.indptr[root + 1]; ++e)
            dual = std::max(dual, candidates_.weights[e] - result_.right_dual[candidates_.rights[e]]);
        if (dual == 0) return;

        best_ = dual;  // what it costs to leave the root alone
        end_right_ = -1;
        end_left_ = root;
        lefts_.assign(1, {root, 0.0});
        relax(root, 0);
        while (!heap_.empty() && heap_.top().first < best_) {
            auto [d, j] = heap_.top();
            heap_.pop();
            if (settled_[j] || d > distance_[j]) continue;
            settled_[j] = 1;
            std::int64_t x = owner_[j];
            lefts_.push_back({x, d});
            if (d + result_.left_dual[x] < best_) {
                best_ = d + result_.left_dual[x];
                end_right_ = -1;
                end_left_ = x;
            }
            relax(x, d);
        }
        update_duals();
        augment(root);
        for (std::int64_t j : touched_) {
            distance_[j] = infinity;
            settled_[j] = 0;
        }
        touched_.clear();
        heap_ = {};
    }

    Assignment take() { return std::move(result_); }

private:
    void relax(std::int64_t x, double d) {
        for (std::int64_t e = candidates_.indptr[x]; e < candidates_.indptr[x + 1]; ++e) {
            std::int64_t j = candidates_.rights[e];
            if (settled_[j] || result_.match[x] == j) continue;
            double slack = result_.left_dual[x] + result_.right_dual[j] - candidates_.weights[e];
            double reached = d + std::max(slack, 0.0);
            if (!(reached < distance_[j])) continue;
            if (distance_[j] == infinity) touched_.push_back(j);
            distance_[j] = reached;
            from_[j] = x;
            if (owner_[j] < 0) {
                // A free right ends the path at once; at equal cost it is taken rather than leaving somebody alone.
                if (reached < best_ || (reached == best_ && end_right_ < 0)) {
                    best_ = reached;
                    end_right_ = j;
                }
            } else {
                heap_.push({reached, j});
            }
        }
    }

    void update_duals() {
        for (auto [x, d] : lefts_)
            if (d < best_) result_.left_dual[x] = std::max(0.0, result_.left_dual[x] - (best_ - d));
        for (std::int64_t j : touched_)
            if (settled_[j] && distance_[j] < best_) result_.right_dual[j] += best_ - distance_[j];
    }

    void augment(std::int64_t root) {
        std::int64_t j = end_right_;
        if (j < 0) {
            if (end_left_ == root) return;
            j = result_.match[end_left_];
            result_.match[end_left_] = -1;
        }
        while (true) {
            std::int64_t x = from_[j];
            std::int64_t next = result_.match[x];
            result_.match[x] = j;
            owner_[j] = x;
            if (x == root) return;
            j = next;
        }
    }

    using Reached = std::pair<double, std::int64_t>;

    const Candidates& candidates_;
    Assignment result_;
    std::vector<std::int64_t> owner_;    // right -> its left
    std::vector<double> distance_;       // right -> length of the shortest path so far
    std::vector<std::int64_t> from_;     // right -> the left before it on that path
    std::vector<char> settled_;          // right -> its distance is final
    std::vector<std::int64_t> touched_;  // rights with a distance
    std::vector<std::pair<std::int64_t, double>> lefts_;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> heap_;
    double best_ = infinity;
    std::int64_t end_right_ = -1, end_left_ = -1;
};

}  // namespace

Assignment assign(const Candidates& candidates, std::int64_t rights, Control& control) {
    Solver solver(candidates, rights);
    control.total += candidates.size();
    for (std::int64_t i = 0; i < candidates.size(); ++i) {
        if (control.stop) throw Stopped();
        solver.insert(i);
        ++control.done;
    }
    return solver.take();
}

}  // namespace likewise
