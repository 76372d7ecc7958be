// einsum!("ij,jk->ik", a, b)
match (&a, &b) {
    (op0, op1) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum ij,jk->ik: gemm, 2·i·j·k flops
        const SPEC: Spec = Spec::new(
            "ij,jk->ik",
            &[&[0, 1], &[1, 2]],
            &[0, 2],
            &[(0, 1)],
        );
        let op0 = Rank::<2>::bind(op0);
        let op1 = Rank::<2>::bind_as(op1, &op0);
        Rank::<2>::contract(&SPEC, &[raw(&op0), raw(&op1)])
    }
}
