//! What can go wrong where all lengths are constants: nothing.

/// Why an einsum could not be computed. Where all lengths are constants there is no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EinsumError {}

impl EinsumError {
    pub(crate) fn raise(self) -> ! {
        match self {}
    }
}
