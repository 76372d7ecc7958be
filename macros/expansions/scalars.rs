// einsum!("->", x)
match (&x,) {
    (op0,) => {
        use ::cteinsum::__private::*;
        /// einsum ->: copy
        const SPEC: Spec = spec("->", &[&[]], &[]);
        let (op0,) = bind0(op0);
        contract(&op0, (), &SPEC, &[raw(&op0)])
    }
}
