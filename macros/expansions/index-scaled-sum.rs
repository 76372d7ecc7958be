// try_einsum!([..] = -scale / 3.0 * (a[..] + b[..]))
match (scale, &a, &b) {
    (s0, op0, op1) => {
        use ::cteinsum::__private::*;
        /// einsum ...->...: copy
        const SPEC0: Spec = spec("...->...", &[&[ELLIPSIS]], &[ELLIPSIS]);
        /// einsum ...->...: copy
        const SPEC1: Spec = spec("...->...", &[&[ELLIPSIS]], &[ELLIPSIS]);
        let (op0, (), dots, ()) = Ellipsis::<0, 0, 0>::bind(op0);
        let (op1, (), more, ()) = Ellipsis::<0, 0, 0>::bind_as(op1, &op0);
        __einsum_dots!(dots more);
        try_contract_sum(
            None,
            &op1,
            dots.between((), ()),
            &[
                term(&SPEC0, &[raw(&op0)], negative(over(s0, 3.0))),
                term(&SPEC1, &[raw(&op1)], negative(over(s0, 3.0))),
            ],
        )
    }
}
