# ludex_module(NAME LIBRARY...)   the thin binding bindings.cpp -> <parent folder>/_native
# add_world(NAME)                 rules (every .cpp but bindings.cpp) as a static library + module;
#                                 with LUDEX_NATIVE_TESTS a random walk and random searches
#                                 instead of the module
# add_agents(WORLD)               agents of a native world, as a static library + module of their own
# Included by the source tree, and by ludex-config.cmake for native worlds outside of it.
if(NOT LUDEX_NATIVE_TESTS)
  find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
  find_package(nanobind CONFIG REQUIRED)
endif()

# The contracts for native worlds: headers alone.
add_library(ludex_core INTERFACE)
target_include_directories(ludex_core INTERFACE ${LUDEX_HEADERS})
target_compile_features(ludex_core INTERFACE cxx_std_20)
find_package(Threads REQUIRED)
target_link_libraries(ludex_core INTERFACE Threads::Threads)

function(ludex_module name)
  if(LUDEX_NATIVE_TESTS)
    return()
  endif()
  set(target ludex_${name}_native)
  set(bindings bindings.cpp)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${bindings})
    # By convention rules.hpp declares State, Rules, to_text and parse in ludex::<name>.
    set(bindings ${CMAKE_CURRENT_BINARY_DIR}/bindings.cpp)
    configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/bindings.cpp.in ${bindings} @ONLY)
  endif()
  nanobind_add_module(${target} NB_STATIC NOMINSIZE ${bindings})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME _native)
  target_link_libraries(${target} PRIVATE ${ARGN})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH package)
  if(LUDEX_OUTSIDE)  # nothing is installed: the module is built where it is imported from
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${package})
    return()
  endif()
  # Modules of the same output name need folders of their own while they are built.
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/modules/${name})
  cmake_path(RELATIVE_PATH package BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/src OUTPUT_VARIABLE destination)
  install(TARGETS ${target} LIBRARY DESTINATION ${destination})
endfunction()

# Every .cpp but bindings.cpp, linked with LIBRARY...: it knows no Python.
function(ludex_library target)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/bindings.cpp)
  if(NOT sources)  # all of it is in headers
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${target} INTERFACE ${ARGN})
    return()
  endif()
  add_library(${target} STATIC ${sources})
  # What a module links is its own, so that calls are direct and can be inlined.
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${ARGN} PRIVATE ludex_warnings)
endfunction()

# The rules come from the world's library, and its types from the world's module at run time.
function(add_agents world)
  ludex_library(agents_${world} world_${world})
  ludex_module(agents_${world} agents_${world})
endfunction()

function(add_world name)
  ludex_library(world_${name} ludex_core)
  ludex_module(${name} world_${name})
  if(LUDEX_NATIVE_TESTS)
    # By convention rules.hpp declares ludex::<name>::Rules.
    configure_file(${CMAKE_SOURCE_DIR}/tests/native/walk.cpp.in walk_${name}.cpp @ONLY)
    add_executable(walk_${name} ${CMAKE_CURRENT_BINARY_DIR}/walk_${name}.cpp)
    target_include_directories(walk_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/native)
    target_link_libraries(walk_${name} PRIVATE world_${name} ludex_warnings)
    add_test(NAME walk_${name} COMMAND walk_${name} ${LUDEX_WALK_SECONDS})
    configure_file(${CMAKE_SOURCE_DIR}/tests/native/search.cpp.in search_${name}.cpp @ONLY)
    add_executable(search_${name} ${CMAKE_CURRENT_BINARY_DIR}/search_${name}.cpp)
    target_include_directories(search_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/native)
    target_link_libraries(search_${name} PRIVATE world_${name} ludex_warnings)
    add_test(NAME search_${name} COMMAND search_${name} ${LUDEX_WALK_SECONDS})
  endif()
endfunction()
