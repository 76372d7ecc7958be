// einsum!(e[i, k] = a[i, j] * b[j, k] - 2.0 * d[k, i])
{
    use ::cteinsum::__private::Place as _;
    match (&a, &b, &d, e.__einsum_place()) {
        (op0, op1, op2, out) => {
            use ::cteinsum::__private::*;
            /// einsum ij,jk->ik: gemm, 2·i·j·k flops
            const SPEC0: Spec = spec("ij,jk->ik", &[&[0, 1], &[1, 2]], &[0, 2]);
            /// einsum ki->ik: transpose
            const SPEC1: Spec = spec("ki->ik", &[&[0, 1]], &[1, 0]);
            let (op0, l0, l1) = bind2(op0);
            let (op1, m1, l2) = bind2_as(op1, &op0);
            __einsum_join!('j' l1 m1);
            let (op2, m2, m0) = bind2_as(op2, &op1);
            __einsum_join!('k' l2 m2);
            __einsum_join!('i' l0 m0);
            let mut out = Rank::<2>::bind_out(&op2, out);
            contract_sum_into(
                None,
                raw_mut(&mut out),
                zero(),
                &[
                    term(&SPEC0, &[raw(&op0), raw(&op1)], one()),
                    term(&SPEC1, &[raw(&op2)], negative(2.0)),
                ],
            )
        }
    }
}
