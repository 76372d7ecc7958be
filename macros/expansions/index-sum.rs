// einsum!(e[i, k] = a[i, j] * b[j, k] - 2.0 * d[k, i])
{
    use ::cteinsum::__private::Place as _;
    match (&a, &b, &d, e.__einsum_place()) {
        (op0, op1, op2, out) => {
            use ::cteinsum::__private::*;
            /// einsum ij,jk->ik: gemm, 2·i·j·k flops
            struct Call0;
            impl CallSite for Call0 {
                const SPEC: Spec = spec("ij,jk->ik", &[&[0, 1], &[1, 2]], &[0, 2]);
            }
            /// einsum ki->ik: transpose
            struct Call1;
            impl CallSite for Call1 {
                const SPEC: Spec = spec("ki->ik", &[&[0, 1]], &[1, 0]);
            }
            let (op0, l0, l1) = bind2(op0);
            let (op1, m1, l2) = bind2_as(op1, &op0);
            __einsum_join!('j' l1 m1);
            let (op2, m2, m0) = bind2_as(op2, &op1);
            __einsum_join!('k' l2 m2);
            __einsum_join!('i' l0 m0);
            let (out, (n0_0, (n2_1, ()))) = Rank::<2>::bind_out(out);
            let (op2, mut out) = (&&filling(&op2, &out)).__einsum_fill(op2, out);
            __einsum_given!('i' l0 n0_0, 'k' l2 n2_1);
            contract_summands_into(
                (
                    summand(&op2, Call0, (&op0, &op1), one()),
                    summand(&op2, Call1, (&op2,), negative(2.0)),
                ),
                &mut out,
                zero(),
            )
        }
    }
}
