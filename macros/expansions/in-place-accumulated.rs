// try_einsum!("...i,...->...i", a, b, beta = 1.0, out = &mut c, engine = &mut engine, alpha = -x)
match (
    &a,
    &b,
    1.0,
    ::cteinsum::__private::out(&mut c),
    ::cteinsum::__private::engine(&mut engine),
    -x,
) {
    (op0, op1, beta, out, engine, alpha) => {
        use ::cteinsum::__private::{
            ELLIPSIS, Rank, Spec, raw, raw_mut, try_contract_into_in,
        };
        /// einsum ...i,...->...i: elementwise product, 2·i·[...] flops
        const SPEC: Spec = Spec::new(
            "...i,...->...i",
            &[&[ELLIPSIS, 0], &[ELLIPSIS]],
            &[ELLIPSIS, 0],
            &[(0, 1)],
        );
        let (op0, dots) = Rank::<1>::bind_ellipsis(op0);
        let (op1, more) = Rank::<0>::bind_ellipsis_as(op1, &op0);
        let dots = dots.join(more);
        let mut out = Rank::<1>::bind_out_ellipsis(dots, &op0, out);
        try_contract_into_in(
            engine,
            &SPEC,
            &[raw(&op0), raw(&op1)],
            raw_mut(&mut out),
            alpha,
            beta,
        )
    }
}
