//! Index notation: `einsum!(c[i, k] = a[i, j] * b[j, k])`.

mod conformance;
mod contract;
mod forms;
