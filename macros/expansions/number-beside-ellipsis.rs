// einsum!("...,...i->...i", -1, a)
match (&(-1), &a) {
    (op0, op1) => {
        use ::cteinsum::__private::{ELLIPSIS, Rank, Spec, raw};
        /// einsum ...,...i->...i: elementwise product, 2·i·[...] flops
        const SPEC: Spec = Spec::new(
            "...,...i->...i",
            &[&[ELLIPSIS], &[ELLIPSIS, 0]],
            &[ELLIPSIS, 0],
            &[(0, 1)],
        );
        let op0 = Rank::<0>::bind_number(op0);
        let (op1, dots) = Rank::<1>::bind_ellipsis_as(op1, &op0);
        Rank::<1>::contract_ellipsis(dots, &SPEC, &[raw(&op0), raw(&op1)])
    }
}
