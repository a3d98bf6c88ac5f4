#include "interp/ast/dump.h"

#include "interp/ast/operands.h"
#include "interp/ast/type_text.h"

namespace ascemu::interp {
namespace {

class Dumper {
 public:
  explicit Dumper(const Program& program) : program_(program) {}

  std::string run() {
    out_ = "kernel " + program_.name + "\n";
    depth_ = 1;
    for (const Param& param : program_.params) {
      line(slot(param.slot) + " = param " + param.name + " : " + type_text(param.type));
    }
    block(program_.body);
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += std::string(depth_ * 2, ' ') + text + "\n"; }

  void block(const Block& block) {
    for (const Stmt& stmt : block.stmts) statement(stmt.node);
  }

  void nested(const std::string& title, const Block& inner) {
    line(title + ":");
    ++depth_;
    block(inner);
    --depth_;
  }

  static std::string slot(Slot slot) { return "%" + std::to_string(slot); }

  static std::string text(const Operand& operand) {
    if (const Slot* known = slot_of(operand)) return slot(*known);
    const auto& scalar = std::get<Constant>(operand);
    return scalar_text(scalar) + ":" + std::string(refops::dtype_name(scalar.dtype));
  }

  static std::string list(const std::vector<Operand>& operands) {
    std::string joined = "[";
    for (const Operand& operand : operands) {
      if (joined.size() > 1) joined += ", ";
      joined += text(operand);
    }
    return joined + "]";
  }

  template <class T>
  static std::string named(std::string_view name, const std::optional<T>& part) {
    if (!part) return "";
    std::string value;
    if constexpr (std::is_same_v<T, Operand>) {
      value = text(*part);
    } else {
      value = list(*part);
    }
    return " " + std::string(name) + "=" + value;
  }

  static std::string mask_text(const std::optional<MaskSpec>& mask) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    if (!mask) return "";
    std::string lanes;
    for (int nibble = 63; nibble >= 0; --nibble) {
      const std::uint64_t word = mask->lanes.bits[static_cast<std::size_t>(nibble / 16)];
      const auto digit = static_cast<std::size_t>((word >> (nibble % 16 * 4)) & 0xF);
      if (digit != 0 || !lanes.empty()) lanes += kHex[digit];
    }
    return " mask=0x" + (lanes.empty() ? "0" : lanes) + named("other", mask->other);
  }

  std::string result_type(Slot dst) const {
    if (dst >= program_.slots.size()) return "?";
    const ValueType& type = program_.slots[dst].type;
    std::string result = type_text(type);
    if (const auto* tensor = std::get_if<TensorType>(&type)) {
      result += " in " + std::string(space_name(tensor->space));
    }
    return result;
  }

  std::string label(Slot dst) const {
    const bool is_named = dst < program_.slots.size() && !program_.slots[dst].name.empty();
    return is_named ? slot(dst) + " " + program_.slots[dst].name : slot(dst);
  }

  void result(Slot dst, const std::string& text) {
    line(label(dst) + " = " + text + " : " + result_type(dst));
  }

  void result_move(const Move& move) {
    std::string text;
    for (std::size_t i = 0; i < move.dst.size(); ++i) {
      if (i > 0) text += ", ";
      text += label(move.dst[i]) + " <- ";
      text += i < move.src.size() ? this->text(move.src[i]) : "?";
    }
    line("move " + text);
  }

  // Names of enumerators that may be out of range in a damaged tree.
  static std::string op_word(OpId id) {
    const bool is_known = static_cast<std::size_t>(id) < refops::op_table().size();
    return is_known ? std::string(refops::op_name(id)) : "?";
  }
  static std::string op(OpId id) { return op_word(id) + " "; }
  static std::string scalar_op(ScalarOp id) {
    return "scalar " + (id <= ScalarOp::erf ? std::string(refops::scalar_op_name(id)) : "?") + " ";
  }
  static std::string mode_word(RoundMode mode) {
    const bool is_known = refops::round_mode_from_number(static_cast<int>(mode)).has_value();
    return is_known ? std::string(refops::round_mode_name(mode)) : "?";
  }

  void dump_print(const Print& print) {
    std::string joined;
    for (const auto& part : print.parts) {
      const auto* words = std::get_if<std::string>(&part);
      joined += words != nullptr ? " \"" + *words + "\"" : " " + text(std::get<Operand>(part));
    }
    line("print" + joined);
  }

  static std::string axes_text(std::uint32_t axes_mask) {
    std::string joined;
    for (int axis = 0; axis < refops::kMaxRank; ++axis) {
      if (((axes_mask >> axis) & 1U) != 0)
        joined += (joined.empty() ? "" : ", ") + std::to_string(axis);
    }
    return joined.empty() ? "all" : "[" + joined + "]";
  }

  static std::string permutation_text(const std::vector<int>& permutation) {
    std::string joined;
    for (const int axis : permutation)
      joined += (joined.empty() ? "" : ", ") + std::to_string(axis);
    return "[" + joined + "]";
  }

  void statement(const StmtNode& node) {
    std::visit(
        Overloaded{
            [&](const ScalarUnary& s) { result(s.dst, scalar_op(s.op) + text(s.a)); },
            [&](const ScalarBinary& s) {
              result(s.dst, scalar_op(s.op) + text(s.a) + ", " + text(s.b));
            },
            [&](const ScalarCast& s) { result(s.dst, "scalar cast " + text(s.a)); },
            [&](const ProgramScalar& s) { result(s.dst, op_word(s.op)); },
            [&](const Unary& s) { result(s.dst, op(s.op) + text(s.x) + mask_text(s.mask)); },
            [&](const Binary& s) {
              result(s.dst, op(s.op) + text(s.a) + ", " + text(s.b) + mask_text(s.mask));
            },
            [&](const Where& s) {
              result(s.dst, "where " + text(s.mask) + ", " + text(s.a) + ", " + text(s.b));
            },
            [&](const Cast& s) { result(s.dst, "cast " + text(s.x) + " " + mode_word(s.mode)); },
            [&](const Reduce& s) {
              result(s.dst, op(s.op) + text(s.x) + " axes=" + axes_text(s.axes_mask));
            },
            [&](const Softmax& s) { result(s.dst, "softmax " + text(s.x)); },
            [&](const RmsNorm& s) {
              result(s.dst,
                     "rms_norm " + text(s.x) + ", " + text(s.gamma) + ", " + text(s.epsilon));
            },
            [&](const LayerNorm& s) {
              result(s.dst, "layer_norm " + text(s.x) + ", " + text(s.gamma) + ", " + text(s.beta) +
                                ", " + text(s.epsilon) + " mean=" + label(s.mean) +
                                (s.output_rstd ? " rstd=" : " variance=") + label(s.spread));
            },
            [&](const Fill& s) { result(s.dst, "full " + text(s.value)); },
            [&](const Reshape& s) { result(s.dst, "reshape " + text(s.x)); },
            [&](const Transpose& s) {
              result(s.dst, "transpose " + text(s.x) + " " + permutation_text(s.permutation));
            },
            [&](const BroadcastTo& s) { result(s.dst, "broadcast_to " + text(s.x)); },
            [&](const Concat& s) { result(s.dst, "concat " + list(s.inputs)); },
            [&](const ZerosAcc& s) { result(s.dst, "zeros_acc" + named("bias", s.bias)); },
            [&](const MatmulAcc& s) {
              line("matmul_acc " + text(s.acc) + ", " + text(s.a) + ", " + text(s.b) +
                   (s.hf32 ? " hf32" : ""));
            },
            [&](const Matmul& s) {
              result(s.dst, "matmul " + text(s.a) + ", " + text(s.b) + named("bias", s.bias) +
                                (s.hf32 ? " hf32" : ""));
            },
            [&](const AddressAdd& s) {
              result(s.dst, "address " + text(s.base) + " + " + text(s.offset_elems));
            },
            [&](const MakeGlobal& s) {
              result(s.dst, "global_tensor " + text(s.base) + " " + list(s.dims));
            },
            [&](const CopyIn& s) {
              result(s.dst, "copy_in " + text(s.src) + " at " + list(s.offsets) +
                                named("real_shape", s.real_shape) +
                                named("pad_value", s.pad_value));
            },
            [&](const CopyOut& s) {
              line("copy_out " + text(s.src) + " to " + text(s.dst) + " at " + list(s.offsets) +
                   named("real_shape", s.real_shape));
            },
            [&](const LoadScalar& s) {
              result(s.dst, "load " + text(s.src) + " at " + list(s.offsets));
            },
            [&](const StoreScalar& s) {
              line("store " + text(s.value) + " to " + text(s.dst) + " at " + list(s.offsets));
            },
            [&](const CopyLocal& s) {
              result(s.dst, "copy " + text(s.src) + " at " + list(s.offsets));
            },
            [&](const Gather& s) {
              result(s.dst, "gather " + text(s.src) + " at " + list(s.offsets) +
                                " dim=" + std::to_string(s.dim) + " index=" + text(s.index) +
                                (s.check_bounds ? "" : " unchecked") +
                                named("num_indices", s.num_indices) +
                                named("pad_value", s.pad_value));
            },
            [&](const Scatter& s) {
              line("scatter " + text(s.src) + " to " + text(s.dst) + " at " + list(s.offsets) +
                   " dim=" + std::to_string(s.dim) + " index=" + text(s.index) +
                   (s.check_bounds ? "" : " unchecked") + named("num_indices", s.num_indices));
            },
            [&](const Atomic& s) {
              line(op(s.op) + text(s.src) + " to " + text(s.dst) + " at " + list(s.offsets));
            },
            [&](const Move& s) { result_move(s); },
            [&](const If& s) {
              nested("if " + text(s.condition), s.then_block);
              if (!s.else_block.stmts.empty()) nested("else", s.else_block);
            },
            [&](const For& s) {
              std::string title = "for " + label(s.induction) + " in range(" + text(s.start) +
                                  ", " + text(s.stop) + ", " + text(s.step) + ")";
              if (s.unroll_factor != 1) title += " unroll=" + std::to_string(s.unroll_factor);
              if (s.gm_barrier) title += " gm_barrier";
              nested(title, s.body);
            },
            [&](const While& s) {
              nested("while", s.condition_block);
              nested("do if " + text(s.condition), s.body);
            },
            [&](const Print& s) { dump_print(s); },
            [&](const DeviceAssert& s) {
              line("assert " + text(s.condition) + " \"" + s.message + "\"");
            },
            [&](const SyncAll&) { line("sync_all"); },
        },
        node);
  }

  const Program& program_;
  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string dump(const Program& program) { return Dumper(program).run(); }

}  // namespace ascemu::interp
