// einsum!("...,...i->...i", -1, a)
match (&(-1), &a) {
    (op0, op1) => {
        use ::cteinsum::__private::*;
        /// einsum ...,...i->...i: elementwise product, 2·i·[...] flops
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = spec(
                "...,...i->...i",
                &[&[ELLIPSIS], &[ELLIPSIS, 0]],
                &[ELLIPSIS, 0],
            );
        }
        let (op0,) = bind_number(op0);
        let (op1, (), dots, (l0, ())) = Ellipsis::<1, 0, 1>::bind_as(op1, &op0);
        contract(Call, dots.between((), (l0,)), (&op0, &op1))
    }
}
