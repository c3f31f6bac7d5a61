// What a twin in Python cannot reach: readers beside a writer, the bits of a file format, ties, and the limits of
// threads.
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "best.hpp"
#include "hash.hpp"
#include "lists.hpp"
#include "parallel.hpp"
#include "stable.hpp"
#include "strings.hpp"

using namespace likewise;

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::printf("failed: %s\n", what);
    ++failures;
}

void readers_beside_a_writer() {
    constexpr std::int32_t kCount = 20000;
    StringTable table;
    StableVector<std::int32_t> numbers;
    std::atomic<bool> wrong{false}, done{false};
    auto read = [&] {
        while (!done) {
            std::int32_t size = numbers.size();
            if (!size) continue;
            if (numbers[size - 1] != size - 1) wrong = true;
            for (std::int32_t id : {size / 2, size - 1}) {
                std::string text = "word " + std::to_string(id);
                std::int32_t found = table.find(text);
                // A reader may be in an older table, which does not have the newest words; never another word's id.
                if (found != id && found != -1) wrong = true;
                if (table[id] != text) wrong = true;
            }
        }
    };
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) readers.emplace_back(read);
    for (std::int32_t i = 0; i < kCount; ++i) {
        table.intern("word " + std::to_string(i));
        numbers.push_back(i);
    }
    done = true;
    for (auto& reader : readers) reader.join();
    expect(!wrong, "readers see what a writer has published");
    expect(table.size() == kCount && table.find("word 19999") == kCount - 1, "ids are consecutive");
    expect(table.find("word") == -1, "what was not interned is not found");
}

void strings_of_all_lengths() {
    StringTable table;
    auto text = [](std::int32_t i) { return std::string(static_cast<std::size_t>(i) * 37, 'a' + i % 26); };
    for (std::int32_t i = 0; i < 600; ++i) {
        if (i == 40) table.reserve(500);
        if (i == 50) table.reserve(10);
        expect(table.intern(text(i)) == i, "ids are consecutive where room was made, and beyond");
    }
    bool found = true;
    for (std::int32_t i = 0; i < 600; ++i) found = found && table[i] == text(i) && table.find(text(i)) == i;
    expect(found, "strings of all lengths are kept and found");
    expect(table.find("b") == -1, "no other is");
    expect(table.intern(std::string(1 << 22, 'z')) == 600 && table[600].size() == 1 << 22, "a very long one is kept");
}

void moved_tables() {
    StringTable first;
    first.intern("a");
    StringTable second = std::move(first);
    expect(second.find("a") == 0 && second.size() == 1, "a table can be moved");
    expect(first.intern("b") == 0 && first.find("b") == 0, "a table that was moved from is empty and of use");
    expect(sizeof(StableVector<double>) < 1024, "an empty vector costs a few pointers");
}

void hashes_of_file_formats() {
    expect(tag_hash("") == 0, "hash of nothing");
    expect(tag_hash("the") == 0xc118fe2f14caab2aull, "hash of a short word");
    expect(tag_hash("paraphrase", 7) == 0xd1a9c402b7c449cdull, "hash of a long word, with a seed");
    expect(mix64(1) == 0x4179b061e0c0e0d0ull, "a number mixed");
}

void best_items() {
    struct Item {
        int score, id;
        bool operator<(const Item& other) const { return score != other.score ? score > other.score : id < other.id; }
    };
    Best<Item> best(2);
    for (Item item : {Item{1, 5}, Item{3, 4}, Item{3, 2}, Item{3, 3}}) best.add(item);
    auto& kept = best.sorted();
    expect(kept.size() == 2 && kept[0].id == 2 && kept[1].id == 3, "ties are broken by id");
    Best<Item> none(0);
    none.add({1, 1});
    expect(none.empty() && none.full(), "room for nothing");
}

void rows_into_lists() {
    const std::vector<int> keys = {2, 0, 2, 1};
    std::vector<int> order(keys.size());
    auto each = [&](auto&& visit) {
        for (int i = 0; i < 4; ++i) visit(static_cast<std::size_t>(keys[i]), i);
    };
    auto starts = into_lists(3, each, [&](std::size_t at, int i) { order[at] = i; });
    expect(starts == std::vector<std::int64_t>({0, 1, 2, 4}) && order == std::vector<int>({1, 3, 0, 2}),
           "entries keep their order within a list");
}

void exceptions_and_stops() {
    Control control;
    bool caught = false;
    try {
        parallel_blocks(1000, 4, control, [](std::int64_t block, int) {
            if (block == 17) throw std::length_error("seventeen");
        });
    } catch (const std::length_error&) {
        caught = true;
    }
    expect(caught, "the first exception wins");
    Control stopped;
    stopped.stop = true;
    caught = false;
    try {
        parallel_blocks(1000, 4, stopped, [](std::int64_t, int) {});
    } catch (const Stopped&) {
        caught = true;
    }
    expect(caught, "a flag stops everything");
    expect(thread_count(1 << 30) == 1024 && thread_count(0) >= 1, "threads within reason");
}

}  // namespace

int main() {
    readers_beside_a_writer();
    strings_of_all_lengths();
    moved_tables();
    hashes_of_file_formats();
    best_items();
    rows_into_lists();
    exceptions_and_stops();
    return failures;
}
