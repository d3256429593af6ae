//! Picture files of the rules.

use std::io::Cursor;

use base64::Engine as _;
use tiny_skia::{FilterQuality, IntSize, Pixmap, PixmapPaint, Transform};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::PaintError;

/// The most pixels of a side of a picture file.
const MOST: usize = 8192;

/// Where a picture file lies, how large it is, if not as it is, and its address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'d> {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) width: Option<f32>,
    pub(crate) height: Option<f32>,
    pub(crate) address: &'d str,
}

/// Paints a picture file as large as its area allows, in the middle of it.
pub(crate) fn paint(
    onto: &mut Pixmap,
    at: Place<'_>,
    opacity: f32,
    place: Transform,
) -> Result<(), PaintError> {
    let mut photo = read(at.address)?;
    let own = (photo.width() as f32, photo.height() as f32);
    let (width, height) = match (at.width, at.height) {
        (None, None) => own,
        (Some(width), None) => (width, width * own.1 / own.0),
        (None, Some(height)) => (height * own.0 / own.1, height),
        (Some(width), Some(height)) => (width, height),
    };
    let (across, down) = (width / own.0, height / own.1);
    let mut size = across.min(down);
    let (scale, _) = place.get_scale();
    // Halves: what is made much smaller in one step would lose lines.
    while size * scale < 0.5 && photo.width() > 1 && photo.height() > 1 {
        let before = photo.width();
        photo = halved(&photo)?;
        size *= before as f32 / photo.width() as f32;
    }
    let left = at.left + (width - photo.width() as f32 * size) / 2.0;
    let top = at.top + (height - photo.height() as f32 * size) / 2.0;
    let paint = PixmapPaint {
        opacity,
        quality: FilterQuality::Bilinear,
        ..PixmapPaint::default()
    };
    let place = place.pre_translate(left, top).pre_scale(size, size);
    onto.draw_pixmap(0, 0, photo.as_ref(), &paint, place, None);
    Ok(())
}

/// Four pixels become one.
fn halved(photo: &Pixmap) -> Result<Pixmap, PaintError> {
    let (width, height) = (photo.width() / 2, photo.height() / 2);
    let (row, data) = (photo.width() as usize * 4, photo.data());
    let mut small = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height as usize {
        for x in 0..width as usize {
            let at = 2 * y * row + 8 * x;
            for part in at..at + 4 {
                let four =
                    [part, part + 4, part + row, part + row + 4].map(|at| u16::from(data[at]));
                small.push((four.iter().sum::<u16>() / 4) as u8);
            }
        }
    }
    pixmap(small, width as usize, height as usize)
}

fn file(error: impl ToString) -> PaintError {
    PaintError::File(error.to_string())
}

fn read(address: &str) -> Result<Pixmap, PaintError> {
    let data = address
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"));
    let Some((form, data)) = data else {
        return Err(PaintError::Unknown(
            "<image> of another document".to_owned(),
        ));
    };
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(data)
        .map_err(file)?;
    match form {
        "image/png" => from_png(&bytes),
        "image/jpeg" => from_jpeg(&bytes),
        "image/gif" => from_gif(&bytes),
        _ => Err(PaintError::Unknown(format!("<image> of the form {form}"))),
    }
}

/// From pixels of red, green, blue and how opaque they are, each of these for itself.
fn straight(mut data: Vec<u8>, width: usize, height: usize) -> Result<Pixmap, PaintError> {
    for pixel in data.chunks_exact_mut(4) {
        let opaque = u16::from(pixel[3]);
        for part in &mut pixel[..3] {
            *part = ((u16::from(*part) * opaque + 127) / 255) as u8;
        }
    }
    pixmap(data, width, height)
}

fn pixmap(data: Vec<u8>, width: usize, height: usize) -> Result<Pixmap, PaintError> {
    let fits = |side: usize| u32::try_from(side).ok().filter(|_| side <= MOST);
    let size = fits(width).zip(fits(height));
    let size = size.and_then(|(width, height)| IntSize::from_wh(width, height));
    size.and_then(|size| Pixmap::from_vec(data, size))
        .ok_or_else(|| file("it is empty or too large"))
}

fn from_png(bytes: &[u8]) -> Result<Pixmap, PaintError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().map_err(file)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let size = reader
        .output_buffer_size()
        .filter(|_| width <= MOST && height <= MOST);
    let mut data = vec![0; size.ok_or_else(|| file("it is too large"))?];
    let info = reader.next_frame(&mut data).map_err(file)?;
    data.truncate(info.buffer_size());
    let data = match info.color_type {
        png::ColorType::Rgba => data,
        png::ColorType::GrayscaleAlpha => {
            let pixels = data.chunks_exact(2);
            pixels
                .flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]])
                .collect()
        }
        other => return Err(file(format!("its pixels are {other:?}"))),
    };
    straight(data, width, height)
}

fn from_jpeg(bytes: &[u8]) -> Result<Pixmap, PaintError> {
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGBA)
        .set_max_width(MOST)
        .set_max_height(MOST);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    let data = decoder
        .decode()
        .map_err(|error| file(format!("{error:?}")))?;
    let (width, height) = decoder.dimensions().ok_or_else(|| file("it has no size"))?;
    pixmap(data, width, height)
}

/// The first picture of a file, on its canvas.
fn from_gif(bytes: &[u8]) -> Result<Pixmap, PaintError> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    options.check_frame_consistency(true);
    let mut decoder = options.read_info(Cursor::new(bytes)).map_err(file)?;
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let frame = decoder.read_next_frame().map_err(file)?;
    let frame = frame.ok_or_else(|| file("it holds no picture"))?;
    if width > MOST || height > MOST {
        return Err(file("it is too large"));
    }
    let mut data = vec![0; width * height * 4];
    let row = usize::from(frame.width) * 4;
    let rows = frame
        .buffer
        .chunks_exact(row.max(1))
        .take(usize::from(frame.height));
    for (y, pixels) in rows.enumerate() {
        let at = ((usize::from(frame.top) + y) * width + usize::from(frame.left)) * 4;
        data[at..at + row].copy_from_slice(pixels);
    }
    straight(data, width, height)
}
