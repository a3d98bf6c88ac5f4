// A5: Ascend 950PR (dav-3510). NN = section of the collected facts on Ascend numerics.
#include "refops/target/behaviour.h"

namespace ascemu::refops {

Behaviour detail::ascend950pr_behaviour() {
  Behaviour behaviour;
  behaviour.nan = {0x7FFF, 0x7FFF, 0x7FFFFFFF};    // NN 1.4, documented; float16 by analogy
  behaviour.flushes_functions = true;              // NN 1.2, documented
  behaviour.flushes_div = true;                    // NN 1.2, documented
  behaviour.scalars_compare_as_float = true;       // LANG 6.2, source
  behaviour.int_to_float_truncates = true;         // LANG 12.1, source
  behaviour.int32_to_float16_in_two = true;        // LANG 6.5, source
  behaviour.composes_functions = true;             // NN 6, source
  behaviour.whole_sum = WholeSum::repeats_folded;  // NN 5.2, documented
  behaviour.axis_sum = AxisSum::halves;            // NN 5.6, source
  behaviour.row_sum = RowSum::lanes;               // NN 5.8, source
  behaviour.composes_norms = true;                 // NN 6, source
  behaviour.cube_group_halves = 16;                // NN 7.1, golden (bfloat16); float16 assumed
  behaviour.cube_group_float32 = 4;                // NN 7.1, unknown, assumed
  behaviour.rewrites = true;                       // LANG 6.5, source
  return behaviour;
}

}  // namespace ascemu::refops
