// einsum!(c[i, k] = a[i, j] * b[j, k])
{
    use ::cteinsum::__private::Place as _;
    match (&a, &b, c.__einsum_place()) {
        (op0, op1, out) => {
            use ::cteinsum::__private::*;
            /// einsum ij,jk->ik: gemm, 2·i·j·k flops
            struct Call;
            impl CallSite for Call {
                const SPEC: Spec = spec("ij,jk->ik", &[&[0, 1], &[1, 2]], &[0, 2]);
            }
            let (op0, l0, l1) = bind2(op0);
            let (op1, m1, l2) = bind2_as(op1, &op0);
            __einsum_join!('j' l1 m1);
            let (out, (n0_0, (n2_1, ()))) = Rank::<2>::bind_out(out);
            let (op1, mut out) = (&&filling(&op1, &out)).__einsum_fill(op1, out);
            __einsum_given!('i' l0 n0_0, 'k' l2 n2_1);
            contract_into(Call, (&op0, &op1), &mut out)
        }
    }
}
