// einsum!([row, col] = self.weights[row, mid] * (load::<A, B>(x)?[mid, type] * d[type, col]))
match (&(self.weights), &(load::<A, B>(x)?), &d) {
    (op0, op1, op2) => {
        use ::cteinsum::__private::*;
        /// einsum [row, mid], ([mid, type], [type, col]) -> [row, col]: 0·(1·2), 2·mid·type·col + 2·row·mid·col flops
        struct Call;
        impl CallSite for Call {
            const SPEC: Spec = Spec::new(
                "[row, mid], ([mid, type], [type, col]) -> [row, col]",
                &[&[0, 1], &[1, 2], &[2, 3]],
                &[0, 3],
                &[(1, 2), (0, 3)],
            );
        }
        let (op0, l0, l1) = bind2(op0);
        let (op1, m1, l2) = bind2_as(op1, &op0);
        __einsum_join!(mid l1 m1);
        let (op2, m2, l3) = bind2_as(op2, &op1);
        __einsum_join!(r#type l2 m2);
        contract(Call, (l0, l3), (&op0, &op1, &op2))
    }
}
