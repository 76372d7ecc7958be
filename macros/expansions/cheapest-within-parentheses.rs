// einsum!("(ij,jk,kl),lm->im", a, b, c, d, minimize = flops, max_intermediate = 1_000_000)
match (&a, &b, &c, &d) {
    (op0, op1, op2, op3) => {
        use ::cteinsum::__private::*;
        /// einsum ij,jk,kl,lm->im: ((0·1)·2)·3, 2·i·j·k + 2·i·k·l + 2·i·l·m flops at equal sizes, the best order for the real ones
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = Spec::new(
                    "(ij,jk,kl),lm->im",
                    &[&[0, 1], &[1, 2], &[2, 3], &[3, 4]],
                    &[0, 4],
                    &[(0, 1), (4, 2), (5, 3)],
                )
                .by_sizes()
                .grouped(&[&[0, 1, 2], &[4, 3]])
                .minimize(Cost::Flops)
                .max_intermediate(1000000);
        }
        let (op0, l0, l1) = bind2(op0);
        let (op1, m1, l2) = bind2_as(op1, &op0);
        __einsum_join!('j' l1 m1);
        let (op2, m2, l3) = bind2_as(op2, &op1);
        __einsum_join!('k' l2 m2);
        let (op3, m3, l4) = bind2_as(op3, &op2);
        __einsum_join!('l' l3 m3);
        contract(Call, (l0, l4), (&op0, &op1, &op2, &op3))
    }
}
