// einsum!("i...,i->i", a, v)
match (&a, &v) {
    (op0, op1) => {
        use ::cteinsum::__private::{ELLIPSIS, Rank, Spec, covers_nothing, raw};
        /// einsum i...,i->i: sum, elementwise product, i·[...] + 2·i flops
        const SPEC: Spec = Spec::new(
            "i...,i->i",
            &[&[0, ELLIPSIS], &[0]],
            &[0],
            &[(0, 1)],
        );
        let (op0, dots) = Rank::<1>::bind_ellipsis(op0);
        let op1 = Rank::<1>::bind_as(op1, &op0);
        covers_nothing(dots);
        Rank::<1>::contract(&SPEC, &[raw(&op0), raw(&op1)])
    }
}
