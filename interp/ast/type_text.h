// Types, dtype sets and literals as words for messages and dumps.
#pragma once

#include <string>

#include "interp/ast/builder.h"
#include "interp/ast/types.h"
#include "refops/ops.h"

namespace ascemu::interp {

// "float32 tensor [4, 8]", "int32 scalar", "pointer to float16", "float16 global tensor [?, 128]".
std::string type_text(const ValueType& type);
// The same with its article: "an int32 scalar".
std::string type_phrase(const ValueType& type);
// "[?, 128]"
std::string dims_text(const GlobalType& type);
// "int16, int32 and float32"; "no dtype" when empty.
std::string dtype_set_text(refops::DtypeSet set);
// "True", "3", "2.5"
std::string literal_text(const Literal& literal);
// "3", "-0.5", "True"
std::string scalar_text(const Scalar& scalar);
// The literal, or the type of the value.
std::string arg_text(const Arg& arg);

}  // namespace ascemu::interp
