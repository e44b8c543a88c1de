#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bind_model.hpp"
#include "bind_state.hpp"
#include "rules.hpp"

namespace nb = nanobind;
using namespace ludex::trial;

NB_MODULE(_native, m) {
    ludex::bind_state<State>(m, "Runners and the weather.")
        .def(nb::init<>())
        .def("__str__", [](const State& state) {
            std::string text;
            for (const int place : state.place) text += std::to_string(place) + " ";
            for (const int tired : state.tired) text += tired != 0 ? "t" : "-";
            return text + " " + std::to_string(state.round) + (state.weather_pending ? " ?" : " .");
        });
    ludex::bind_model<Rules>(m, "A race.").def(nb::init<>());
}
