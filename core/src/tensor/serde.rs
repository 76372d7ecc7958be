//! Owned tensors as `{ shape, data }`, the elements in row-major order.

use ::serde::de::Error;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::owned::{DynTensor, Tensor};

#[derive(Serialize)]
#[serde(rename = "Tensor")]
struct Borrowed<'a, T> {
    shape: &'a [usize],
    data: &'a [T],
}

#[derive(Deserialize)]
#[serde(rename = "Tensor")]
struct Read<T> {
    shape: Vec<usize>,
    data: Vec<T>,
}

impl<T: Serialize, const N: usize> Serialize for Tensor<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (shape, data) = (self.shape(), self.as_slice());
        Borrowed { shape, data }.serialize(serializer)
    }
}

impl<T: Serialize> Serialize for DynTensor<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (shape, data) = (self.shape(), self.as_slice());
        Borrowed { shape, data }.serialize(serializer)
    }
}

/// Fails if the data are not as many as the shape says, or the rank is not `N`.
impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Tensor<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tensor = DynTensor::deserialize(deserializer)?;
        tensor.try_into_rank().map_err(D::Error::custom)
    }
}

/// Fails if the data are not as many as the shape says.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for DynTensor<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Read { shape, data } = Read::deserialize(deserializer)?;
        DynTensor::try_from_vec(shape, data).map_err(D::Error::custom)
    }
}
