// einsum!("i->ii", v)
match (&v,) {
    (op0,) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum i->ii: onto the diagonal
        const SPEC: Spec = Spec::new("i->ii", &[&[0]], &[0, 0], &[]);
        let op0 = Rank::<1>::bind(op0);
        Rank::<2>::contract(&SPEC, &[raw(&op0)])
    }
}
