//! Pictures in memory, and PNG files.

use std::io::Cursor;

use crate::colour::{Hsv, Rgb};

/// A picture of red, green and blue bytes, row after row from the upper left corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

/// A picture of hue, saturation and value, row after row from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub struct HsvFrame {
    width: usize,
    height: usize,
    pixels: Vec<Hsv>,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The number of bytes is not that of the size.
    #[error("a picture of {width} x {height} has not {pixels} pixels")]
    Size {
        /// Width in pixels.
        width: usize,
        /// Height in pixels.
        height: usize,
        /// Pixels that were given.
        pixels: usize,
    },
    /// More pixels than a camera has.
    #[error("a picture of {0} x {1} is too large")]
    TooLarge(usize, usize),
    /// The file is no PNG, or a broken one.
    #[error("no picture: {0}")]
    Decode(#[from] png::DecodingError),
    /// The file could not be written.
    #[error("the picture cannot be written: {0}")]
    Encode(#[from] png::EncodingError),
}

/// The greatest number of pixels of a frame.
pub const MOST_PIXELS: usize = 1 << 26;

impl Frame {
    /// A picture of one colour.
    pub fn new(width: usize, height: usize, colour: Rgb) -> Self {
        Self {
            width,
            height,
            pixels: vec![colour.0; width * height],
        }
    }

    /// A picture of given pixels, row after row.
    ///
    /// # Errors
    /// When their number is not that of the size.
    pub fn from_pixels(
        width: usize,
        height: usize,
        pixels: Vec<[u8; 3]>,
    ) -> Result<Self, FrameError> {
        if width.checked_mul(height) != Some(pixels.len()) {
            let pixels = pixels.len();
            return Err(FrameError::Size {
                width,
                height,
                pixels,
            });
        }
        Ok(Self {
            width,
            height,
            pixels,
        })
    }

    /// The picture of a PNG file; transparency is dropped, greys and palettes become colours, 16 bits become 8.
    ///
    /// # Errors
    /// When the bytes are no such picture.
    pub fn from_png(bytes: &[u8]) -> Result<Self, FrameError> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let size = reader.output_buffer_size();
        let few = width.checked_mul(height).is_some_and(|n| n <= MOST_PIXELS);
        let Some(size) = size.filter(|_| few) else {
            return Err(FrameError::TooLarge(width, height));
        };
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes)?;
        let bytes = &bytes[..info.buffer_size()];
        let pixels = match info.color_type {
            png::ColorType::Grayscale => bytes.iter().map(|&v| [v; 3]).collect(),
            png::ColorType::GrayscaleAlpha => bytes.chunks_exact(2).map(|p| [p[0]; 3]).collect(),
            png::ColorType::Rgba => bytes.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect(),
            _ => bytes.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect(),
        };
        Self::from_pixels(width, height, pixels)
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// When the picture has no pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, FrameError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row after row.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// All pixels, row after row, to be changed.
    pub fn pixels_mut(&mut self) -> &mut [[u8; 3]] {
        &mut self.pixels
    }

    /// The colour of a pixel; nothing outside.
    pub fn get(&self, x: usize, y: usize) -> Option<Rgb> {
        let inside = x < self.width && y < self.height;
        inside.then(|| Rgb(self.pixels[y * self.width + x]))
    }

    /// Changes a pixel; nothing happens outside.
    pub fn set(&mut self, x: usize, y: usize, colour: Rgb) {
        if x < self.width && y < self.height {
            self.pixels[y * self.width + x] = colour.0;
        }
    }

    /// The same picture by hue, saturation and value.
    pub fn hsv(&self) -> HsvFrame {
        HsvFrame {
            width: self.width,
            height: self.height,
            pixels: self.pixels.iter().map(|&p| Rgb(p).hsv()).collect(),
        }
    }
}

impl HsvFrame {
    /// A picture of given pixels, row after row.
    ///
    /// # Errors
    /// When their number is not that of the size.
    pub fn from_pixels(width: usize, height: usize, pixels: Vec<Hsv>) -> Result<Self, FrameError> {
        if width.checked_mul(height) != Some(pixels.len()) {
            let pixels = pixels.len();
            return Err(FrameError::Size {
                width,
                height,
                pixels,
            });
        }
        Ok(Self {
            width,
            height,
            pixels,
        })
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row after row.
    pub fn pixels(&self) -> &[Hsv] {
        &self.pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_survive_files() {
        let mut frame = Frame::new(5, 3, Rgb([1, 2, 3]));
        frame.set(4, 2, Rgb([250, 9, 7]));
        frame.set(5, 2, Rgb([0, 0, 0]));
        let bytes = frame.to_png().expect("it has pixels");
        assert_eq!(Frame::from_png(&bytes).expect("a picture"), frame);
        for cut in 0..bytes.len() {
            assert!(Frame::from_png(&bytes[..cut]).is_err() || cut > 60);
        }
        assert!(Frame::from_pixels(2, 2, vec![[0; 3]; 3]).is_err());
    }
}
