// einsum!("ij->ji", a)
match (&a,) {
    (op0,) => {
        use ::cteinsum::__private::*;
        /// einsum ij->ji: transpose
        const SPEC: Spec = spec("ij->ji", &[&[0, 1]], &[1, 0]);
        let (op0, l0, l1) = bind2(op0);
        contract(&op0, (l1, l0), &SPEC, &[raw(&op0)])
    }
}
