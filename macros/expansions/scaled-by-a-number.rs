// einsum!(",ij->ij", 2.0, a)
match (&2.0, &a) {
    (op0, op1) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum ,ij->ij: scaling, 2·i·j flops
        const SPEC: Spec = Spec::new(",ij->ij", &[&[], &[0, 1]], &[0, 1], &[(0, 1)]);
        let op0 = Rank::<0>::bind_number(op0);
        let op1 = Rank::<2>::bind_as(op1, &op0);
        Rank::<2>::contract(&SPEC, &[raw(&op0), raw(&op1)])
    }
}
