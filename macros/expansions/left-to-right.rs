// einsum!("ij,jk,kl->il", a, b, c, order = left_to_right)
match (&a, &b, &c) {
    (op0, op1, op2) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum ij,jk,kl->il: (0·1)·2, 2·i·j·k + 2·i·k·l flops
        const SPEC: Spec = Spec::new(
            "ij,jk,kl->il",
            &[&[0, 1], &[1, 2], &[2, 3]],
            &[0, 3],
            &[(0, 1), (3, 2)],
        );
        let op0 = Rank::<2>::bind(op0);
        let op1 = Rank::<2>::bind_as(op1, &op0);
        let op2 = Rank::<2>::bind_as(op2, &op0);
        Rank::<2>::contract(&SPEC, &[raw(&op0), raw(&op1), raw(&op2)])
    }
}
