// The inverted lists of a right side as Python holds them.
#pragma once

#include <memory>

#include "join_index.hpp"

struct HeldIndex {
    std::shared_ptr<const likewise::join::Index> index;
};
