// einsum!(",ij->ij", 2.0, a)
match (&2.0, &a) {
    (op0, op1) => {
        use ::cteinsum::__private::*;
        /// einsum ,ij->ij: scaling, 2·i·j flops
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec(",ij->ij", &[&[], &[0, 1]], &[0, 1]);
        }
        let (op0,) = bind_number(op0);
        let (op1, l0, l1) = bind2_as(op1, &op0);
        contract(Call, (l0, l1), (&op0, &op1))
    }
}
