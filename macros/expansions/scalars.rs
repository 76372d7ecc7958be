// einsum!("->", x)
match (&x,) {
    (op0,) => {
        use ::cteinsum::__private::*;
        /// einsum ->: copy
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec("->", &[&[]], &[]);
        }
        let (op0,) = bind0(op0);
        contract(Call, (), (&op0,))
    }
}
