#include "interp/launch/launch.h"

#include <algorithm>
#include <functional>
#include <new>

#include "interp/checks/fresh_arrays.h"
#include "interp/checks/ordering.h"
#include "interp/checks/race.h"
#include "interp/eval/launch_context.h"
#include "interp/launch/block_threads.h"
#include "interp/launch/deadlock.h"
#include "interp/launch/ledger.h"
#include "interp/launch/program_facts.h"
#include "interp/launch/turns.h"
#include "interp/memory/storage_conversion.h"
#include "interp/resolve/double_precision.h"
#include "refops/target/behaviour.h"

namespace ascemu::interp {
namespace {

Diagnostic launch_error(Fault fault) { return locate(std::move(fault), kNoSpan); }

std::optional<std::string> argument_mismatch(const Param& param, const Argument& argument) {
  if (const auto* const address = std::get_if<AddressType>(&param.type)) {
    const auto* const array = std::get_if<ArrayArgument>(&argument);
    if (array == nullptr) return "parameter '" + param.name + "' needs an array";
    if (array->count_elems < 0 || (array->data == nullptr && array->count_elems > 0))
      return "the array of parameter '" + param.name + "' has no bytes";
    static_cast<void>(address);
    return std::nullopt;
  }
  const auto* const scalar = std::get_if<Scalar>(&argument);
  const auto* const type = std::get_if<ScalarType>(&param.type);
  if (scalar == nullptr || type == nullptr || scalar->dtype != type->dtype)
    return "parameter '" + param.name + "' needs a scalar of its dtype";
  return std::nullopt;
}

std::optional<std::string> launch_mismatch(const Program& program,
                                           std::span<const Argument> arguments,
                                           const LaunchOptions& options) {
  if (options.blocks < 1) return "a launch of " + std::to_string(options.blocks) + " blocks";
  if (arguments.size() != program.params.size()) {
    return std::to_string(arguments.size()) + " arguments for " +
           std::to_string(program.params.size()) + " parameters";
  }
  for (const std::uint32_t number : options.fresh) {
    if (number >= arguments.size()) return "no parameter " + std::to_string(number);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::optional<std::string> problem = argument_mismatch(program.params[i], arguments[i]);
    if (problem) return problem;
  }
  return std::nullopt;
}

void bind_arguments(LaunchContext& context, std::span<const Argument> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Param& param = context.program.params[i];
    GlobalArray array;
    array.name = param.name;
    if (const auto* const given = std::get_if<ArrayArgument>(&arguments[i])) {
      array.data = given->data;
      array.count_elems = given->count_elems;
      array.dtype = std::get<AddressType>(param.type).dtype;
      array.writable = given->writable;
      context.arguments.emplace_back(Address{static_cast<std::uint32_t>(i), 0});
    } else {
      const auto& scalar = std::get<Scalar>(arguments[i]);
      const Dtype stored = context.program.slots[param.slot].stored(scalar.dtype);
      context.arguments.emplace_back(moved_scalar(scalar, stored));
    }
    context.arrays.push_back(array);
  }
}

CheckLevels chosen_levels(const LaunchOptions& options) {
  CheckLevels levels;
  for (const auto& [slug, level] : options.checks) {
    if (const std::optional<CheckId> check = check_from_slug(slug)) levels.set(*check, level);
  }
  return levels;
}

}  // namespace

LaunchResult launch(const Program& given, std::span<const Argument> arguments,
                    const LaunchOptions& options) {
  LaunchResult result;
  if (const std::optional<std::string> problem = launch_mismatch(given, arguments, options)) {
    result.findings.push_back(launch_error(make_fault(Code::internal_error, *problem)));
    return result;
  }
  std::optional<Program> widened;
  if (refops::behaviour_of(given.policy).computes_in_double) widened = in_double_precision(given);
  const Program& program = widened ? *widened : given;
  ProgramFacts facts = gather_facts(program);
  LaunchContext context{program, options};
  context.transposed = std::move(facts.transposed);
  context.levels = chosen_levels(options);
  bind_arguments(context, arguments);

  std::optional<RaceCheck> races;
  if (options.blocks > 1 && context.levels.is_on(CheckId::race)) {
    context.watched = watched_arrays(context.arrays, facts.kinds);
    if (std::ranges::find(context.watched, true) != context.watched.end())
      context.races = &races.emplace(program, context.arrays, context.levels, options.blocks);
  }

  std::optional<FreshArrays> fresh;
  if (!options.fresh.empty() && context.levels.is_on(CheckId::uninitialised))
    context.fresh = &fresh.emplace(context.arrays, options.fresh);

  if (context.levels.is_on(CheckId::ordering))
    context.self_read = self_read_arrays(context.arrays, facts.kinds);

  const bool needs_barrier = program.has_barrier && options.blocks > 1;
  const Schedule::Kind kind = options.schedule.kind;
  const bool in_turns = kind != Schedule::Kind::parallel && options.blocks > 1;
  const int wanted = options.stop_at_first ? 1 : options.threads;
  const int threads = needs_barrier || in_turns ? 0 : choose_threads(wanted, options.blocks);
  std::optional<AtomicOrder> atomics;
  if (facts.has_atomics &&
      (needs_barrier || (in_turns && kind != Schedule::Kind::sequential) || threads > 1))
    context.atomics = &atomics.emplace(options.blocks, program.policy);
  std::optional<Turns> turns;
  std::int64_t seats = 0;
  std::function<void()> run_others;
  if (in_turns) {
    seats = choose_seats(kind, options.blocks, needs_barrier || context.atomics != nullptr);
    turns.emplace(static_cast<std::size_t>(seats));
    run_others = [&turns] { turns->pass(); };
    if (kind == Schedule::Kind::interleave) context.switches = &*turns;
    if (atomics) atomics->set_run_others(run_others);
  }
  std::optional<Barrier> barrier;
  if (needs_barrier) {
    const auto on_open = [&context] {
      if (context.atomics != nullptr) context.atomics->begin_phase();
    };
    context.barrier = &barrier.emplace(options.blocks, on_open, run_others);
  }

  Ledger ledger(options.findings_limit);
  const RunOutcome outcome = in_turns        ? run_in_turns(context, ledger, *turns, seats,
                                                            options.schedule.order(options.blocks))
                             : needs_barrier ? run_together(context, ledger)
                                             : run_in_order(context, ledger, threads);
  if (outcome == RunOutcome::no_memory) {
    ledger.add(-1, {launch_error(make_fault(Code::memory_limit, "the machine's memory ran out"))},
               0, {});
  } else if (outcome == RunOutcome::no_threads) {
    ledger.add(-1,
               {launch_error(make_fault(
                   Code::memory_limit,
                   "the machine cannot run " + std::to_string(in_turns ? seats : options.blocks) +
                       " threads, one for each block" +
                       (needs_barrier ? " of a kernel with asc.sync_all()" : " under way"),
                   {}, "Launch fewer blocks, or raise the machine's limit of threads."))},
               0, {});
  }
  if (barrier && barrier->deadlock()) {
    Diagnostic deadlock = describe_deadlock(*barrier->deadlock(), program);
    const std::int64_t block = deadlock.block;
    ledger.add(block, {std::move(deadlock)}, 0, {});
  }
  result.interrupted = options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
  if (races && !result.interrupted) ledger.add_afterwards(races->finish());
  ledger.finish(result);
  return result;
}

}  // namespace ascemu::interp
