// einsum!("...ij,...jk->...ik", a, b)
match (&a, &b) {
    (op0, op1) => {
        use ::cteinsum::__private::{ELLIPSIS, Rank, Spec, raw};
        /// einsum ...ij,...jk->...ik: batched gemm, 2·i·j·k·[...] flops
        const SPEC: Spec = Spec::new(
            "...ij,...jk->...ik",
            &[&[ELLIPSIS, 0, 1], &[ELLIPSIS, 1, 2]],
            &[ELLIPSIS, 0, 2],
            &[(0, 1)],
        );
        let (op0, dots) = Rank::<2>::bind_ellipsis(op0);
        let (op1, more) = Rank::<2>::bind_ellipsis_as(op1, &op0);
        let dots = dots.join(more);
        Rank::<2>::contract_ellipsis(dots, &SPEC, &[raw(&op0), raw(&op1)])
    }
}
