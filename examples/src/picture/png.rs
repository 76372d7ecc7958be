//! Pictures as files.

use super::{SIDE, address};
use cteinsum::Tensor;
use std::{error::Error, fs::File, io::BufWriter, path::Path};

/// Writes pictures side by side.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, pictures: &[&Tensor<f64, 2>]) -> Result<(), Box<dyn Error>> {
    let width = SIDE * pictures.len();
    let mut bytes = Vec::with_capacity(3 * width * SIDE);
    for y in 0..SIDE {
        for picture in pictures {
            for x in 0..SIDE {
                let value = |colour| picture[[colour, address(x, y)]];
                bytes.extend(
                    (0..3).map(|colour| (255.0 * value(colour)).round().clamp(0.0, 255.0) as u8),
                );
            }
        }
    }
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(path)?),
        width as u32,
        SIDE as u32,
    );
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(())
}
