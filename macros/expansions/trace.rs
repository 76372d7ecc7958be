// einsum!("ii", a)
match (&a,) {
    (op0,) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum ii->: trace, i flops
        const SPEC: Spec = Spec::new("ii", &[&[0, 0]], &[], &[]);
        let op0 = Rank::<2>::bind(op0);
        Rank::<0>::contract(&SPEC, &[raw(&op0)])
    }
}
