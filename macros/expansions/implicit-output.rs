// einsum!("ba,ac", a, b)
match (&a, &b) {
    (op0, op1) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum ba,ac->bc: gemm, 2·b·a·c flops
        const SPEC: Spec = Spec::new(
            "ba,ac",
            &[&[0, 1], &[1, 2]],
            &[0, 2],
            &[(0, 1)],
        );
        let op0 = Rank::<2>::bind(op0);
        let op1 = Rank::<2>::bind_as(op1, &op0);
        Rank::<2>::contract(&SPEC, &[raw(&op0), raw(&op1)])
    }
}
