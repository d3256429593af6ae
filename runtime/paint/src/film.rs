//! PNG files, still and animated.

use png::{BitDepth, BlendOp, ColorType, Compression, DisposeOp, Encoder};

use crate::{PaintError, Picture};

/// The part of a picture that a frame of an animation holds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

fn encoder(file: &mut Vec<u8>, width: u32, height: u32) -> Encoder<'_, &mut Vec<u8>> {
    let mut encoder = Encoder::new(file, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder
}

pub(crate) fn still(picture: &Picture) -> Result<Vec<u8>, PaintError> {
    let mut file = Vec::new();
    let mut writer = encoder(&mut file, picture.width(), picture.height()).write_header()?;
    writer.write_image_data(&picture.pixmap.clone().take_demultiplied())?;
    writer.finish()?;
    Ok(file)
}

/// Pictures one after the other as one animated PNG, which repeats: each is shown for so many milliseconds, the last one three
/// times as long. Who cannot show animations shows the first one.
///
/// # Errors
/// When there is no picture, or the encoder fails.
pub fn film(pictures: &[Picture], milliseconds: u16) -> Result<Vec<u8>, PaintError> {
    let width = pictures.iter().map(Picture::width).max().unwrap_or(0);
    let height = pictures.iter().map(Picture::height).max().unwrap_or(0);
    if pictures.is_empty() {
        return Err(PaintError::NoPictures);
    }
    let mut file = Vec::new();
    let mut encoder = encoder(&mut file, width, height);
    encoder.set_animated(pictures.len() as u32, 0)?;
    encoder.set_frame_delay(milliseconds, 1000)?;
    encoder.set_blend_op(BlendOp::Source)?;
    encoder.set_dispose_op(DisposeOp::None)?;
    let mut writer = encoder.write_header()?;
    let mut before: Option<Vec<u8>> = None;
    for (number, picture) in pictures.iter().enumerate() {
        let pixels = on_canvas(picture, width, height);
        let part = match &before {
            Some(before) => changed(before, &pixels, width as usize),
            None => Part {
                x: 0,
                y: 0,
                width,
                height,
            },
        };
        if before.is_some() {
            writer.set_frame_dimension(part.width, part.height)?;
            writer.set_frame_position(part.x, part.y)?;
        }
        if number + 1 == pictures.len() {
            writer.set_frame_delay(milliseconds.saturating_mul(3), 1000)?;
        }
        writer.write_image_data(&cut(&pixels, part, width as usize))?;
        before = Some(pixels);
    }
    writer.finish()?;
    Ok(file)
}

/// A picture in the upper left corner of a canvas.
fn on_canvas(picture: &Picture, width: u32, height: u32) -> Vec<u8> {
    let pixels = picture.pixmap.clone().take_demultiplied();
    let mut canvas = Vec::with_capacity(width as usize * height as usize * 4);
    for row in pixels.chunks_exact(picture.width() as usize * 4) {
        canvas.extend_from_slice(row);
        canvas.resize(canvas.len() + (width - picture.width()) as usize * 4, 0);
    }
    canvas.resize(width as usize * height as usize * 4, 0);
    canvas
}

/// The least part that holds all pixels that differ; one pixel where none does.
fn changed(before: &[u8], after: &[u8], width: usize) -> Part {
    let row = width * 4;
    let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
    let rows = before.chunks_exact(row).zip(after.chunks_exact(row));
    for (y, (old, new)) in rows.enumerate().filter(|(_, (old, new))| old != new) {
        (top, bottom) = (top.min(y), y);
        let pixels = old.chunks_exact(4).zip(new.chunks_exact(4));
        for (x, _) in pixels.enumerate().filter(|(_, (old, new))| old != new) {
            (left, right) = (left.min(x), right.max(x));
        }
    }
    if left > right {
        (left, right, top, bottom) = (0, 0, 0, 0);
    }
    Part {
        x: left as u32,
        y: top as u32,
        width: (right - left + 1) as u32,
        height: (bottom - top + 1) as u32,
    }
}

fn cut(pixels: &[u8], part: Part, width: usize) -> Vec<u8> {
    let (x, y) = (part.x as usize, part.y as usize);
    let rows = pixels
        .chunks_exact(width * 4)
        .skip(y)
        .take(part.height as usize);
    rows.flat_map(|row| &row[x * 4..(x + part.width as usize) * 4])
        .copied()
        .collect()
}
