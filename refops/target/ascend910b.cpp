// A2: Ascend 910B (dav-2201). NN = section of the collected facts on Ascend numerics.
#include "refops/target/behaviour.h"

namespace ascemu::refops {

Behaviour detail::ascend910b_behaviour() {
  Behaviour behaviour;
  behaviour.nan = {0x7FFF, 0x7FFF, 0x7FFFFFFF};      // NN 1.4, documented; float16 by analogy
  behaviour.flushes_div = true;                      // NN 1.2, golden
  behaviour.nan_equals_nothing = true;               // NN 3, measured on 910B3
  behaviour.scalars_compare_as_float = true;         // LANG 6.2, source
  behaviour.tensors_compare_as_float = true;         // LANG 6.2, source
  behaviour.int_to_float_truncates = true;           // LANG 12.1, source
  behaviour.int32_to_float16_in_two = true;          // LANG 6.5, source
  behaviour.composes_functions = true;               // NN 6, source
  behaviour.erf_rounds_ties_away = true;             // NN 6, source
  behaviour.whole_sum = WholeSum::repeats_in_order;  // NN 5.2, documented
  behaviour.axis_sum = AxisSum::adjacent_pairs;      // NN 5.6, source
  behaviour.row_sum = RowSum::blocks;                // NN 5.8, source
  behaviour.composes_norms = true;                   // NN 6, source of 950; decision
  behaviour.cube_group_halves = 16;                  // NN 7.1, unknown, assumed
  behaviour.cube_group_float32 = 4;                  // NN 7.1, golden
  behaviour.rewrites = true;                         // LANG 6.5, source
  return behaviour;
}

}  // namespace ascemu::refops
