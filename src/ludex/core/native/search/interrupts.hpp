// Ctrl-C during a native search: it is noticed without the interpreter, which handles it
// afterwards.
//
// Python's own handler only makes a note that the interpreter reads; a search that has let go of it
// would never see that. So while a search runs in the main thread, a handler stands before
// Python's, passes the signal on, and tells the search to stop.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

namespace ludex::search {

class Interrupts {
public:
    // `stop` is set when a signal comes.
    explicit Interrupts(std::atomic<bool>& stop) noexcept {
        // Signals are handled in the main thread alone, and there by one search at a time.
        is_watching_ = syscall(SYS_gettid) == getpid() && watched().load() == nullptr;
        if (!is_watching_) return;
        watched().store(&stop);
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            struct sigaction ours{};
            if (sigaction(kSignals[i], nullptr, &before()[i]) != 0) continue;
            if (!is_handled(before()[i])) continue;  // whoever ends the process may end it
            ours.sa_sigaction = &pass_on;
            ours.sa_flags = SA_SIGINFO | (before()[i].sa_flags & ~SA_RESETHAND);
            ours.sa_mask = before()[i].sa_mask;
            sigaction(kSignals[i], &ours, nullptr);
        }
    }
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    ~Interrupts() {
        if (!is_watching_) return;
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            if (is_handled(before()[i])) sigaction(kSignals[i], &before()[i], nullptr);
        }
        watched().store(nullptr);
    }

private:
    static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

    // What a handler needs cannot be handed to it, so it is static; only the main thread writes it.
    [[nodiscard]] static std::array<struct sigaction, kSignals.size()>& before() noexcept {
        static std::array<struct sigaction, kSignals.size()> found{};
        return found;
    }
    [[nodiscard]] static std::atomic<std::atomic<bool>*>& watched() noexcept {
        static std::atomic<std::atomic<bool>*> found{nullptr};
        return found;
    }

    [[nodiscard]] static bool is_handled(const struct sigaction& action) noexcept {
        if ((action.sa_flags & SA_SIGINFO) != 0) return action.sa_sigaction != nullptr;
        return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
    }

    static void pass_on(int number, siginfo_t* info, void* context) {
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            if (kSignals[i] != number) continue;
            const struct sigaction& theirs = before()[i];
            if ((theirs.sa_flags & SA_SIGINFO) != 0) {
                theirs.sa_sigaction(number, info, context);
            } else {
                theirs.sa_handler(number);
            }
        }
        // Last, so that whoever is told to stop finds what Python's handler has noted.
        if (std::atomic<bool>* const stop = watched().load()) {
            stop->store(true, std::memory_order_release);
        }
    }

    bool is_watching_ = false;
};

}  // namespace ludex::search
