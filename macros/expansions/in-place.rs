// einsum!("ij,jk->ik", a, b, out = &mut c)
match (&a, &b, ::cteinsum::__private::out(&mut c)) {
    (op0, op1, out) => {
        use ::cteinsum::__private::{
            Rank, Spec, contract_into, one, raw, raw_mut, zero,
        };
        /// einsum ij,jk->ik: gemm, 2·i·j·k flops
        const SPEC: Spec = Spec::new(
            "ij,jk->ik",
            &[&[0, 1], &[1, 2]],
            &[0, 2],
            &[(0, 1)],
        );
        let op0 = Rank::<2>::bind(op0);
        let op1 = Rank::<2>::bind_as(op1, &op0);
        let mut out = Rank::<2>::bind_out(&op0, out);
        contract_into(
            &SPEC,
            &[raw(&op0), raw(&op1)],
            raw_mut(&mut out),
            one(),
            zero(),
        )
    }
}
