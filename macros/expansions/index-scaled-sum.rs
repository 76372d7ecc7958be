// try_einsum!([..] = -scale / 3.0 * (a[..] + b[..]))
match (scale, &a, &b) {
    (s0, op0, op1) => {
        use ::cteinsum::__private::*;
        /// einsum ...->...: copy
        struct Call0;
        impl CallSite for Call0 {
            const SPEC: Spec = spec("...->...", &[&[ELLIPSIS]], &[ELLIPSIS]);
        }
        /// einsum ...->...: copy
        struct Call1;
        impl CallSite for Call1 {
            const SPEC: Spec = spec("...->...", &[&[ELLIPSIS]], &[ELLIPSIS]);
        }
        let (op0, (), dots, ()) = Ellipsis::<0, 0, 0>::bind(op0);
        let (op1, (), more, ()) = Ellipsis::<0, 0, 0>::bind_as(op1, &op0);
        __einsum_dots!(dots more);
        try_contract_summands(
            &op1,
            dots.between((), ()),
            (
                summand(&op1, Call0, (&op0,), negative(over(s0, 3.0))),
                summand(&op1, Call1, (&op1,), negative(over(s0, 3.0))),
            ),
        )
    }
}
