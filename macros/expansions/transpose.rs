// einsum!("ij->ji", a)
match (&a,) {
    (op0,) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum ij->ji: transpose
        const SPEC: Spec = Spec::new("ij->ji", &[&[0, 1]], &[1, 0], &[]);
        let op0 = Rank::<2>::bind(op0);
        Rank::<2>::contract(&SPEC, &[raw(&op0)])
    }
}
