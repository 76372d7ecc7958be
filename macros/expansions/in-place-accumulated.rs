// try_einsum!("...i,...->...i", a, b, beta = 1.0, out = &mut c, engine = &mut engine, alpha = -x)
match (
    &a,
    &b,
    1.0,
    ::cteinsum::__private::borrow_out(&mut c),
    ::cteinsum::__private::borrow_engine(&mut engine),
    -x,
) {
    (op0, op1, beta, out, engine, alpha) => {
        use ::cteinsum::__private::*;
        /// einsum ...i,...->...i: elementwise product, 2·i·[...] flops
        const SPEC: Spec = spec(
            "...i,...->...i",
            &[&[ELLIPSIS, 0], &[ELLIPSIS]],
            &[ELLIPSIS, 0],
        );
        let (op0, (), dots, (l0, ())) = Ellipsis::<1, 0, 1>::bind(op0);
        let (op1, (), more, ()) = Ellipsis::<0, 0, 0>::bind_as(op1, &op0);
        __einsum_dots!(dots more);
        let (out, ((), more, (n0_1, ()))) = Ellipsis::<1, 0, 1>::bind_out(dots, out);
        let (op1, mut out) = (&&filling(&op1, &out)).__einsum_fill(op1, out);
        __einsum_given!('i' l0 n0_1);
        __einsum_given_dots!(dots more);
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
