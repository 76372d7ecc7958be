use cteinsum::einsum;

fn main() {
    let _c = einsum!("ij->ji");
}
