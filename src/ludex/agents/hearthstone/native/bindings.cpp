// Python's view of the native agents. They play with the world's model and on its states.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind_choosers.hpp"
#include "bind_nora.hpp"

NB_MODULE(_native, m) {
    using namespace ludex::hearthstone::agents;
    m.doc() = "Native agents of Hearthstone.";
    nb::module_::import_("ludex.worlds.hearthstone._native");  // binds the model and its states
    bind_forest(m);
    bind_nora(m);
    bind_simple_players(m);
    bind_evaluators(m);
    bind_rows(m);
    bind_choosers(m);
    bind_games(m);
}
