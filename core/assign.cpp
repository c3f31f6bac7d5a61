#include "assign.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace likewise::assignment {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Left texts are taken one by one; for each, a shortest alternating path (Dijkstra on the slacks, which the duals keep
// non-negative) leads to a right that is free, or to a left that is better left alone. The search touches only the
// neighbourhood of the path, so components need not be told apart.
class Solver {
public:
    Solver(const Candidates& candidates, std::int64_t rights)
        : candidates_(candidates),
          owner_(rights, -1),
          distance_(rights, kInfinity),
          from_(rights, -1),
          settled_(rights, 0) {
        result_.match.assign(candidates.size(), -1);
        result_.left_dual.assign(candidates.size(), 0);
        result_.right_dual.assign(rights, 0);
    }

    void insert(std::int64_t root) {
        double& dual = result_.left_dual[root];
        for (std::int64_t edge = candidates_.indptr[root]; edge < candidates_.indptr[root + 1]; ++edge)
            dual = std::max(dual, candidates_.weights[edge] - result_.right_dual[candidates_.rights[edge]]);
        if (dual == 0) return;

        best_ = dual;  // what it costs to leave the root alone
        end_right_ = -1;
        end_left_ = root;
        lefts_.assign(1, {root, 0.0});
        relax(root, 0);
        while (!heap_.empty() && heap_.top().first < best_) {
            auto [reached, right] = heap_.top();
            heap_.pop();
            if (settled_[right] || reached > distance_[right]) continue;
            settled_[right] = 1;
            std::int64_t left = owner_[right];
            lefts_.push_back({left, reached});
            if (reached + result_.left_dual[left] < best_) {
                best_ = reached + result_.left_dual[left];
                end_right_ = -1;
                end_left_ = left;
            }
            relax(left, reached);
        }
        update_duals();
        augment(root);
        for (std::int64_t right : touched_) {
            distance_[right] = kInfinity;
            settled_[right] = 0;
        }
        touched_.clear();
        heap_ = {};
    }

    Assignment take() { return std::move(result_); }

private:
    void relax(std::int64_t left, double distance) {
        for (std::int64_t edge = candidates_.indptr[left]; edge < candidates_.indptr[left + 1]; ++edge) {
            std::int64_t right = candidates_.rights[edge];
            if (settled_[right] || result_.match[left] == right) continue;
            double slack = result_.left_dual[left] + result_.right_dual[right] - candidates_.weights[edge];
            double reached = distance + std::max(slack, 0.0);
            if (!(reached < distance_[right])) continue;
            if (distance_[right] == kInfinity) touched_.push_back(right);
            distance_[right] = reached;
            from_[right] = left;
            if (owner_[right] < 0) {
                // A free right ends the path at once; at equal cost it is taken rather than leaving somebody alone.
                if (reached < best_ || (reached == best_ && end_right_ < 0)) {
                    best_ = reached;
                    end_right_ = right;
                }
            } else {
                heap_.push({reached, right});
            }
        }
    }

    void update_duals() {
        for (auto [left, reached] : lefts_)
            if (reached < best_) result_.left_dual[left] = std::max(0.0, result_.left_dual[left] - (best_ - reached));
        for (std::int64_t right : touched_)
            if (settled_[right] && distance_[right] < best_) result_.right_dual[right] += best_ - distance_[right];
    }

    void augment(std::int64_t root) {
        std::int64_t right = end_right_;
        if (right < 0) {
            if (end_left_ == root) return;
            right = result_.match[end_left_];
            result_.match[end_left_] = -1;
        }
        while (true) {
            std::int64_t left = from_[right];
            std::int64_t next = result_.match[left];
            result_.match[left] = right;
            owner_[right] = left;
            if (left == root) return;
            right = next;
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
    double best_ = kInfinity;
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

}  // namespace likewise::assignment
