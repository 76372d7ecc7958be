// einsum!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3)
match (&s0, &s1, &s2, &s3) {
    (op0, op1, op2, op3) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum war,abu,bgl,gwd->ruld: (0·1)·(2·3), 2·w·a·r·b·u + 2·w·b·g·l·d + 2·w·r·b·u·l·d flops
        const SPEC: Spec = Spec::new(
            "war,abu,bgl,gwd->ruld",
            &[&[0, 1, 2], &[1, 3, 4], &[3, 5, 6], &[5, 0, 7]],
            &[2, 4, 6, 7],
            &[(0, 1), (2, 3), (4, 5)],
        );
        let op0 = Rank::<3>::bind(op0);
        let op1 = Rank::<3>::bind_as(op1, &op0);
        let op2 = Rank::<3>::bind_as(op2, &op0);
        let op3 = Rank::<3>::bind_as(op3, &op0);
        Rank::<4>::contract(&SPEC, &[raw(&op0), raw(&op1), raw(&op2), raw(&op3)])
    }
}
