#pragma once

namespace prophet {

/// sum of inverse[k] sin(2 pi turns r[k]) over `count` distances; a multiple of 16. `turns`: q/(2 pi), as the
/// sum of two numbers, and in single precision the distances too, so that a phase of many turns loses nothing
/// before it is reduced to one.
double sumOfSines(const float* r, const float* rRest, const float* inverse, int count, float turns,
                  float turnsRest);
double sumOfSines(const double* r, const double* inverse, int count, double turns, double turnsRest);

/// The same where every distance has a weight of its own and turns differ: out[k] += weight sin(2 pi turns[k]
/// r), for `count` values of q.
void addSines(const double* turns, int count, double r, double weight, double* out);

}  // namespace prophet
