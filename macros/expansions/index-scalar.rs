// einsum!(s[] = x[i] * y[i])
match (&x, &y, &mut s) {
    (op0, op1, out) => {
        use ::cteinsum::__private::*;
        /// einsum i,i->: dot, 2·i flops
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec("i,i->", &[&[0], &[0]], &[]);
        }
        let (op0, l0) = bind1(op0);
        let (op1, m0) = bind1_as(op1, &op0);
        __einsum_join!('i' l0 m0);
        let (out, ()) = Rank::<0>::bind_out(out);
        let (op1, mut out) = (&&filling(&op1, &out)).__einsum_fill(op1, out);
        contract_into(Call, (&op0, &op1), &mut out)
    }
}
