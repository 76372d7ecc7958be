//! Tensors written to JSON and read back.

use crate::{DynTensor, Tensor};

#[test]
fn shape_and_data_there_and_back() {
    let t = Tensor::from_fn([2, 3], |[i, j]| 3 * i + j);
    let text = serde_json::to_string(&t).unwrap();
    assert_eq!(text, r#"{"shape":[2,3],"data":[0,1,2,3,4,5]}"#);
    assert_eq!(serde_json::to_string(&t.clone().into_dyn()).unwrap(), text);
    assert_eq!(serde_json::from_str::<Tensor<usize, 2>>(&text).unwrap(), t);
    assert_eq!(
        serde_json::from_str::<DynTensor<usize>>(&text).unwrap(),
        t.into_dyn()
    );
    let scalar: Tensor<f64, 0> = serde_json::from_str(r#"{"data":[2.5],"shape":[]}"#).unwrap();
    assert_eq!(scalar.into_element(), 2.5);
}

#[test]
fn what_is_no_tensor_is_refused() {
    let error = |text: &str| {
        serde_json::from_str::<Tensor<u8, 2>>(text)
            .unwrap_err()
            .to_string()
    };
    let short = error(r#"{"shape":[2,3],"data":[0,1,2,3,4]}"#);
    assert!(
        short.contains("shape [2, 3] has 6 elements, but 5 were given"),
        "{short}"
    );
    let rank = error(r#"{"shape":[1,2,3],"data":[0,1,2,3,4,5]}"#);
    assert!(
        rank.contains("a tensor of rank 3 where rank 2 is needed"),
        "{rank}"
    );
    let large = error(r#"{"shape":[4294967296,4294967296],"data":[]}"#);
    assert!(
        large.contains("more elements than memory can hold"),
        "{large}"
    );
    assert!(error(r#"{"shape":[0,0]}"#).contains("missing field `data`"));
    assert!(error(r#"{"shape":[-1,0],"data":[]}"#).contains("invalid value"));
}
