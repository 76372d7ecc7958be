// try_einsum!("ij,jk,k->i", &a, f::<A, B>(b)?, v + w, engine = &mut engine, order = [(1, 2), (0, 1)])
match (
    &(&a),
    &(f::<A, B>(b)?),
    &(v + w),
    ::cteinsum::__private::borrow_engine(&mut engine),
) {
    (op0, op1, op2, engine) => {
        use ::cteinsum::__private::*;
        /// einsum ij,jk,k->i: 0·(1·2), 2·j·k + 2·i·j flops
        const SPEC: Spec = Spec::new(
            "ij,jk,k->i",
            &[&[0, 1], &[1, 2], &[2]],
            &[0],
            &[(1, 2), (0, 3)],
        );
        let (op0, l0, l1) = bind2(op0);
        let (op1, m1, l2) = bind2_as(op1, &op0);
        __einsum_join!('j' l1 m1);
        let (op2, m2) = bind1_as(op2, &op1);
        __einsum_join!('k' l2 m2);
        try_contract_in(
            engine,
            &op2,
            (l0,),
            &SPEC,
            &[raw(&op0), raw(&op1), raw(&op2)],
        )
    }
}
