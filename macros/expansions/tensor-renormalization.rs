// einsum!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3)
match (&s0, &s1, &s2, &s3) {
    (op0, op1, op2, op3) => {
        use ::cteinsum::__private::*;
        /// einsum war,abu,bgl,gwd->ruld: (0·1)·(2·3), 2·w·a·r·b·u + 2·w·b·g·l·d + 2·w·r·b·u·l·d flops at equal sizes, the best order for the real ones
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = Spec::new(
                    "war,abu,bgl,gwd->ruld",
                    &[&[0, 1, 2], &[1, 3, 4], &[3, 5, 6], &[5, 0, 7]],
                    &[2, 4, 6, 7],
                    &[(0, 1), (2, 3), (4, 5)],
                )
                .by_sizes();
        }
        let (op0, l0, l1, l2) = bind3(op0);
        let (op1, m1, l3, l4) = bind3_as(op1, &op0);
        __einsum_join!('a' l1 m1);
        let (op2, m3, l5, l6) = bind3_as(op2, &op1);
        __einsum_join!('b' l3 m3);
        let (op3, m5, m0, l7) = bind3_as(op3, &op2);
        __einsum_join!('g' l5 m5, 'w' l0 m0);
        contract(Call, (l2, l4, l6, l7), (&op0, &op1, &op2, &op3))
    }
}
