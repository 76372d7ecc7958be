// try_einsum!("ij,jk,k->i", &a, f::<A, B>(b)?, v + w, engine = &mut engine, order = [(1, 2), (0, 1)])
match (
    &(&a),
    &(f::<A, B>(b)?),
    &(v + w),
    ::cteinsum::__private::engine(&mut engine),
) {
    (op0, op1, op2, engine) => {
        use ::cteinsum::__private::{Rank, Spec, raw};
        /// einsum ij,jk,k->i: 0·(1·2), 2·j·k + 2·i·j flops
        const SPEC: Spec = Spec::new(
            "ij,jk,k->i",
            &[&[0, 1], &[1, 2], &[2]],
            &[0],
            &[(1, 2), (0, 3)],
        );
        let op0 = Rank::<2>::bind(op0);
        let op1 = Rank::<2>::bind_as(op1, &op0);
        let op2 = Rank::<1>::bind_as(op2, &op0);
        Rank::<1>::try_contract_in(engine, &SPEC, &[raw(&op0), raw(&op1), raw(&op2)])
    }
}
