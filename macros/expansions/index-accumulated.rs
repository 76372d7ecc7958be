// try_einsum!(c[i, k] += alpha * a[i, j] * conj(b[k, j]), engine = &mut engine)
{
    use ::cteinsum::__private::Place as _;
    match (
        alpha,
        &a,
        &::cteinsum::conj(&b),
        c.__einsum_place(),
        ::cteinsum::__private::borrow_engine(&mut engine),
    ) {
        (s0, op0, op1, out, engine) => {
            use ::cteinsum::__private::*;
            /// einsum ij,kj->ik: gemm, 2·i·j·k flops
            const SPEC: Spec = spec("ij,kj->ik", &[&[0, 1], &[2, 1]], &[0, 2]);
            let (op0, l0, l1) = bind2(op0);
            let (op1, l2, m1) = bind2_as(op1, &op0);
            __einsum_join!('j' l1 m1);
            let (out, (n0_0, (n2_1, ()))) = Rank::<2>::bind_out(out);
            let (op1, mut out) = (&&filling(&op1, &out)).__einsum_fill(op1, out);
            __einsum_given!('i' l0 n0_0, 'k' l2 n2_1);
            try_contract_into_in(
                engine,
                &SPEC,
                &[raw(&op0), raw(&op1)],
                raw_mut(&mut out),
                s0,
                one(),
            )
        }
    }
}
