# Build type, warnings and sanitizers, for all native code alike.
# A debug build of the modules: pip install --no-build-isolation -e . -C cmake.build-type=Debug
option(LUDEX_NATIVE_TESTS "Build the C++ test programs instead of the Python modules" OFF)
set(LUDEX_WALK_SECONDS 5 CACHE STRING "How long the random walk of each native world lasts")
set(LUDEX_SANITIZE "" CACHE STRING "Comma-separated sanitizers, for example address,undefined")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Portable on purpose: no -march=native. -O2 against -O3 is measured in docs/results/speed.md.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
# Optimised a little, asserts on: for sanitizers.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g")

# The same seed gives the same result on every machine: no fused multiply-add, which rounds once
# where Python and the reference round twice.
add_compile_options(-ffp-contract=off)

add_library(ludex_warnings INTERFACE)
target_compile_options(ludex_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(LUDEX_NATIVE_TESTS)
  # Only where we test: a newer compiler with new warnings must not stop a user's build.
  target_compile_options(ludex_warnings INTERFACE -Werror)
endif()

if(LUDEX_SANITIZE)
  add_compile_options(-fsanitize=${LUDEX_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${LUDEX_SANITIZE})
endif()
