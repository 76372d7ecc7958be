//! Element types.
