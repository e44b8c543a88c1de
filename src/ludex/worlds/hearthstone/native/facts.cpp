// The facts of a state for searches that look for what is new (core/native/facts.hpp).
#include <algorithm>
#include <string>
#include <string_view>

#include "keys.hpp"
#include "rules.hpp"
#include "text.hpp"

namespace ludex::hearthstone {

// Each word of the text, with the part of the table that it speaks of; as in model.py.
void add_facts(const Rules& /*rules*/, const State& state, std::vector<std::uint64_t>& facts) {
    const std::string text = to_text(state);
    std::string_view left = text, part;
    while (!left.empty()) {
        const std::size_t end = std::min(left.find(' '), left.size());
        const std::string_view word = left.substr(0, end);
        left.remove_prefix(std::min(end + 1, left.size()));
        if (word.find('=') == std::string_view::npos) part = word;
        KeyHash hash;
        hash.add(part.data(), part.size()).add(word.data(), word.size());
        facts.push_back(hash.key().low);
    }
}

}  // namespace ludex::hearthstone
