//! Same bits for any number of threads and any alignment.
