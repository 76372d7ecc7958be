// try_einsum_jvp!("ij,jk->ik", (a, da), (b, _), engine = &mut engine)
match (&a, &da, &b, ::cteinsum::__private::borrow_engine(&mut engine)) {
    (op0, op1, op2, engine) => {
        use ::cteinsum::__private::*;
        /// einsum ij,jk->ik: gemm, 2·i·j·k flops
        const SPEC: Spec = spec("ij,jk->ik", &[&[0, 1], &[1, 2]], &[0, 2]);
        let (op0, l0, l1) = bind2(op0);
        differentiable(&op0);
        let (op1, ..) = bind2_as(op1, &op0);
        let (op2, m1, l2) = bind2_as(op2, &op1);
        __einsum_join!('j' l1 m1);
        try_jvp(
            Some(engine),
            &op2,
            (l0, l2),
            &SPEC,
            &[raw(&op0), raw(&op2)],
            &[Some(raw(&op1)), None],
        )
    }
}
