// einsum!("i,i->", x, y)
match (&x, &y) {
    (op0, op1) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum i,i->: dot, 2·i flops
        const SPEC: Spec = Spec::new("i,i->", &[&[0], &[0]], &[], &[(0, 1)]);
        let op0 = Rank::<1>::bind(op0);
        let op1 = Rank::<1>::bind_as(op1, &op0);
        Rank::<0>::contract(&SPEC, &[raw(&op0), raw(&op1)])
    }
}
