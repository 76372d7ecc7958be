// einsum!("...ij,jk->...ik", a, b)
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
        }
        let (op0, (), dots, (l1, (l0, ()))) = Ellipsis::<2, 0, 2>::bind(op0);
        let (op1, m1, l2) = bind2_as(op1, &op0);
        __einsum_join!('j' l1 m1);
        let dots = dots.beside(&op1);
        contract(Call, dots.between((), (l0, l2)), (&op0, &op1))
    }
}
