//! Which kernel a step runs in.
