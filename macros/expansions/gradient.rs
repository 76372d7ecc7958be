// einsum_vjp!("...ij,jk->...ik", a, b, wrt = [1])
match (&a, &b) {
    (op0, op1) => {
        use ::cteinsum::__private::*;
        /// einsum ...ij,jk->...ik: gemm, 2·i·j·k·[...] flops
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec(
                "...ij,jk->...ik",
                &[&[ELLIPSIS, 0, 1], &[1, 2]],
                &[ELLIPSIS, 0, 2],
            );
            const WRT: Numbers = &[1];
        }
        let g0 = Ellipsis::<2, 0, 2>::like(op0);
        let (op0, (), dots, (l1, (l0, ()))) = Ellipsis::<2, 0, 2>::bind(op0);
        differentiable(&op0);
        let g1 = Rank::<2>::like(op1);
        let (op1, m1, l2) = bind2_as(op1, &op0);
        __einsum_join!('j' l1 m1);
        let dots = dots.beside(&op1);
        let (y, kept) = constancy((g0, g1))
            .vjp(
                Call,
                (&op0, &op1),
                dots.between((), (l0, l2)),
                (g1,),
                ((g0, g1), ((g0, ()), ())),
                |backward, dy| pull(backward, dy),
            );
        (y, kept.into_pullback())
    }
}
