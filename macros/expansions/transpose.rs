// einsum!("ij->ji", a)
match (&a,) {
    (op0,) => {
        use ::cteinsum::__private::*;
        /// einsum ij->ji: transpose
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec("ij->ji", &[&[0, 1]], &[1, 0]);
        }
        let (op0, l0, l1) = bind2(op0);
        contract(Call, (l1, l0), (&op0,))
    }
}
