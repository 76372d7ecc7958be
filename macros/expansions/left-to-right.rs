// einsum!("ij,jk,kl->il", a, b, c, order = left_to_right)
match (&a, &b, &c) {
    (op0, op1, op2) => {
        use ::cteinsum::__private::*;
        /// einsum ij,jk,kl->il: (0·1)·2, 2·i·j·k + 2·i·k·l flops
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = Spec::new(
                "ij,jk,kl->il",
                &[&[0, 1], &[1, 2], &[2, 3]],
                &[0, 3],
                &[(0, 1), (3, 2)],
            );
        }
        let (op0, l0, l1) = bind2(op0);
        let (op1, m1, l2) = bind2_as(op1, &op0);
        __einsum_join!('j' l1 m1);
        let (op2, m2, l3) = bind2_as(op2, &op1);
        __einsum_join!('k' l2 m2);
        contract(Call, (l0, l3), (&op0, &op1, &op2))
    }
}
