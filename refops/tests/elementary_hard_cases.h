// Float32 operands whose exact results lie closest to the middle between two elements.
//
// What it is: findings of the exhaustive sweeps (refops_exhaustive), hardest first per function.
// What it is not: complete; the sweeps are.
//
// Invariant: none; every entry is only an operand.
#pragma once

#include <cstdint>

#include "refops/elementary/elementary.h"

namespace ascemu::refops {

struct HardCase {
  elementary::Function function;
  std::uint32_t pattern;
};

inline constexpr HardCase kHardCases[] = {
    {elementary::Function::erf, 0xB940EAD6},   {elementary::Function::erf, 0xB9C0057D},
    {elementary::Function::erf, 0xB58E9D2D},   {elementary::Function::erf, 0xB6AEA466},
    {elementary::Function::erf, 0x80AA320C},   {elementary::Function::erf, 0x812A320C},
    {elementary::Function::erf, 0x81AA320C},   {elementary::Function::erf, 0x822A320C},
    {elementary::Function::erf, 0x82AA320C},   {elementary::Function::erf, 0x832A320C},
    {elementary::Function::exp, 0xC16912CD},   {elementary::Function::exp, 0xBBF0EDF1},
    {elementary::Function::exp, 0x377EFF81},   {elementary::Function::exp, 0xBAE0E25C},
    {elementary::Function::exp, 0xB3000000},   {elementary::Function::exp, 0x39C6BE5B},
    {elementary::Function::exp, 0x38E69CC1},   {elementary::Function::exp, 0x383A3EF1},
    {elementary::Function::exp, 0x3D1A274E},   {elementary::Function::exp, 0x40315B33},
    {elementary::Function::log, 0x65D890D3},   {elementary::Function::log, 0x4C5D65A5},
    {elementary::Function::log, 0x4D604EBE},   {elementary::Function::log, 0x41178FEB},
    {elementary::Function::log, 0x1F116AB8},   {elementary::Function::log, 0x66A8C860},
    {elementary::Function::log, 0x3C413D3A},   {elementary::Function::log, 0x6F31A8EC},
    {elementary::Function::log, 0x38DCBE38},   {elementary::Function::log, 0x4665A9A6},
    {elementary::Function::rsqrt, 0x013A18E3}, {elementary::Function::rsqrt, 0x023A18E3},
    {elementary::Function::rsqrt, 0x033A18E3}, {elementary::Function::rsqrt, 0x043A18E3},
    {elementary::Function::rsqrt, 0x053A18E3}, {elementary::Function::rsqrt, 0x063A18E3},
    {elementary::Function::rsqrt, 0x073A18E3}, {elementary::Function::rsqrt, 0x083A18E3},
    {elementary::Function::rsqrt, 0x093A18E3}, {elementary::Function::rsqrt, 0x0A3A18E3},
    {elementary::Function::sin, 0x73243F06},   {elementary::Function::sin, 0x46199998},
    {elementary::Function::sin, 0x55CAFB2A},   {elementary::Function::sin, 0x67A9242B},
    {elementary::Function::sin, 0x4371ADE3},   {elementary::Function::sin, 0x5F208D82},
    {elementary::Function::sin, 0x7A5AACDB},   {elementary::Function::sin, 0x6446CEC0},
    {elementary::Function::sin, 0x79D1F6D3},   {elementary::Function::sin, 0x61DFC847},
    {elementary::Function::sqrt, 0x017FFFFF},  {elementary::Function::sqrt, 0x027FFFFF},
    {elementary::Function::sqrt, 0x037FFFFF},  {elementary::Function::sqrt, 0x047FFFFF},
    {elementary::Function::sqrt, 0x057FFFFF},  {elementary::Function::sqrt, 0x067FFFFF},
    {elementary::Function::sqrt, 0x077FFFFF},  {elementary::Function::sqrt, 0x087FFFFF},
    {elementary::Function::sqrt, 0x097FFFFF},  {elementary::Function::sqrt, 0x0A7FFFFF},
    {elementary::Function::tanh, 0x3AC37DE2},  {elementary::Function::tanh, 0x3EEE0566},
    {elementary::Function::tanh, 0x40ACB4D0},
};

}  // namespace ascemu::refops
