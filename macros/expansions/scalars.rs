// einsum!("->", x)
match (&x,) {
    (op0,) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum ->: copy
        const SPEC: Spec = Spec::new("->", &[&[]], &[], &[]);
        let op0 = Rank::<0>::bind(op0);
        Rank::<0>::contract(&SPEC, &[raw(&op0)])
    }
}
