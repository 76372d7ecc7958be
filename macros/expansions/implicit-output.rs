// einsum!("ba,ac", a, b)
match (&a, &b) {
    (op0, op1) => {
        use ::cteinsum::__private::*;
        /// einsum ba,ac->bc: gemm, 2·b·a·c flops
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec("ba,ac", &[&[0, 1], &[1, 2]], &[0, 2]);
        }
        let (op0, l0, l1) = bind2(op0);
        let (op1, m1, l2) = bind2_as(op1, &op0);
        __einsum_join!('a' l1 m1);
        contract(Call, (l0, l2), (&op0, &op1))
    }
}
