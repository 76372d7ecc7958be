// einsum!("i->ii", v)
match (&v,) {
    (op0,) => {
        use ::cteinsum::__private::*;
        /// einsum i->ii: onto the diagonal
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec("i->ii", &[&[0]], &[0, 0]);
        }
        let (op0, l0) = bind1(op0);
        contract(Call, (l0, l0), (&op0,))
    }
}
