// einsum!("i...,i->i", a, v)
match (&a, &v) {
    (op0, op1) => {
        use ::cteinsum::__private::*;
        /// einsum i...,i->i: sum, elementwise product, i·[...] + 2·i flops
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec("i...,i->i", &[&[0, ELLIPSIS], &[0]], &[0]);
        }
        let (op0, (l0, ()), dots, ()) = Ellipsis::<1, 1, 0>::bind(op0);
        let (op1, m0) = bind1_as(op1, &op0);
        __einsum_join!('i' l0 m0);
        covers_nothing(dots);
        contract(Call, (l0,), (&op0, &op1))
    }
}
