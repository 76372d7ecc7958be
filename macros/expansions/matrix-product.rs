// einsum!("ij,jk->ik", a, b)
match (&a, &b) {
    (op0, op1) => {
        use ::cteinsum::__private::*;
        /// einsum ij,jk->ik: gemm, 2·i·j·k flops
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec("ij,jk->ik", &[&[0, 1], &[1, 2]], &[0, 2]);
        }
        let (op0, l0, l1) = bind2(op0);
        let (op1, m1, l2) = bind2_as(op1, &op0);
        __einsum_join!('j' l1 m1);
        contract(Call, (l0, l2), (&op0, &op1))
    }
}
