//! Between OpenCV's pictures and ours, and OpenCV's own colours and components, to compare with.

use opencv::core::{CV_8U, CV_32F, CV_32S, Mat, Vec3b, Vec3f};
use opencv::imgproc;
use opencv::prelude::*;
use rulec_vision::blobs::Component;
use rulec_vision::colour::Hsv;
use rulec_vision::{Frame, HsvFrame};

use crate::CameraError;

/// Our form of a picture of OpenCV, of blue, green and red bytes or of grey ones.
///
/// # Errors
/// When it is of another form.
pub fn frame(picture: &Mat) -> Result<Frame, CameraError> {
    let (rows, columns) = (picture.rows(), picture.cols());
    let (Ok(height), Ok(width)) = (usize::try_from(rows), usize::try_from(columns)) else {
        return Err(CameraError::Form);
    };
    let whole = picture.try_clone()?;
    let pixels: Vec<[u8; 3]> = match whole.channels() {
        _ if whole.depth() != CV_8U => return Err(CameraError::Form),
        3 => {
            let pixels = whole.data_typed::<Vec3b>()?.iter();
            pixels.map(|&Vec3b { 0: [b, g, r] }| [r, g, b]).collect()
        }
        1 => whole.data_typed::<u8>()?.iter().map(|&v| [v; 3]).collect(),
        _ => return Err(CameraError::Form),
    };
    Frame::from_pixels(width, height, pixels).map_err(|_| CameraError::Form)
}

/// OpenCV's form of a picture: blue, green and red bytes.
///
/// # Errors
/// When OpenCV has no room for it.
pub fn mat(frame: &Frame) -> Result<Mat, CameraError> {
    let pixels = frame.pixels().iter();
    let pixels: Vec<Vec3b> = pixels.map(|&[r, g, b]| Vec3b::from([b, g, r])).collect();
    let rows = i32::try_from(frame.height()).map_err(|_| CameraError::Form)?;
    let flat = Mat::from_slice(&pixels)?;
    Ok(flat.reshape(3, rows)?.try_clone()?)
}

/// Hue, saturation and value as OpenCV computes them from floats: the way of the original system.
///
/// # Errors
/// When OpenCV fails.
pub fn hsv(frame: &Frame) -> Result<HsvFrame, CameraError> {
    let (mut floats, mut result) = (Mat::default(), Mat::default());
    mat(frame)?.convert_to(&mut floats, CV_32F, 1.0, 0.0)?;
    imgproc::cvt_color_def(&floats, &mut result, imgproc::COLOR_BGR2HSV)?;
    let pixels = result.data_typed::<Vec3f>()?.iter().map(|pixel| Hsv {
        hue: pixel[0],
        saturation: pixel[1],
        value: pixel[2] / 255.0,
    });
    HsvFrame::from_pixels(frame.width(), frame.height(), pixels.collect())
        .map_err(|_| CameraError::Form)
}

/// The components of all classes from `least` on, labelled by OpenCV; in the order of [`rulec_vision::blobs::components`].
///
/// # Errors
/// When OpenCV fails.
pub fn components(classes: &[u8], width: usize, least: u8) -> Result<Vec<Component>, CameraError> {
    let height = classes.len() / width.max(1);
    let rows = i32::try_from(height).map_err(|_| CameraError::Form)?;
    let mut found: Vec<((u32, u32), Component)> = Vec::new();
    for class in least.max(1)..=classes.iter().copied().max().unwrap_or(0) {
        let mask: Vec<u8> = classes
            .iter()
            .map(|&c| if c == class { 255 } else { 0 })
            .collect();
        let flat = Mat::from_slice(&mask)?;
        let mask = flat.reshape(1, rows)?.try_clone()?;
        let mut labels = Mat::default();
        let count = imgproc::connected_components(&mask, &mut labels, 4, CV_32S)?;
        let first = found.len();
        let none = Component {
            class,
            size: 0,
            sums: (0, 0),
            least: (u32::MAX, u32::MAX),
            most: (0, 0),
        };
        found.extend((1..count).map(|_| ((0, 0), none)));
        for (pixel, &label) in labels.data_typed::<i32>()?.iter().enumerate() {
            let Some(number) = usize::try_from(label).ok().and_then(|l| l.checked_sub(1)) else {
                continue;
            };
            let (x, y) = ((pixel % width) as u32, (pixel / width) as u32);
            let (start, whole) = &mut found[first + number];
            if whole.size == 0 {
                *start = (y, x);
            }
            whole.size += 1;
            whole.sums.0 += u64::from(x);
            whole.sums.1 += u64::from(y);
            whole.least = (whole.least.0.min(x), whole.least.1.min(y));
            whole.most = (whole.most.0.max(x), whole.most.1.max(y));
        }
    }
    found.sort_by_key(|(start, _)| *start);
    Ok(found.into_iter().map(|(_, whole)| whole).collect())
}
