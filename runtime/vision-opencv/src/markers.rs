//! Square markers (ArUco, AprilTag) that tell where the table is.
//!
//! OpenCV changed how they are found: up to 4.6 by functions of its module `aruco` (feature `contrib`), from 4.7 on by a
//! detector of `objdetect` (feature `objdetect`). Both stand behind [`Finder`].

use opencv::core::{Mat, Point2f, Vector};
use rulec_vision::{Frame, Pair};

use crate::CameraError;
use crate::convert::{frame, mat};

/// Which markers are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// ArUco, 4 x 4 bits, 50 of them.
    Aruco4x4,
    /// AprilTag 36h11, 587 of them.
    AprilTag36h11,
}

/// A marker in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Its number in the family.
    pub id: i32,
    /// Its corners in pixels, clockwise from the upper left one of the marker.
    pub corners: [(f64, f64); 4],
}

impl Marker {
    /// Its middle: where the diagonals meet.
    pub fn centre(&self) -> (f64, f64) {
        let [a, b, c, d] = self.corners;
        // a + t (c - a) = b + s (d - b)
        let (p, q) = ((c.0 - a.0, c.1 - a.1), (d.0 - b.0, d.1 - b.1));
        let cross = p.0 * q.1 - p.1 * q.0;
        if cross == 0.0 {
            return a;
        }
        let t = ((b.0 - a.0) * q.1 - (b.1 - a.1) * q.0) / cross;
        (a.0 + t * p.0, a.1 + t * p.1)
    }
}

/// The corners and numbers of all markers of a family in a picture of bytes.
trait Finder {
    fn find(
        picture: &Mat,
        family: Family,
    ) -> opencv::Result<(Vector<Vector<Point2f>>, Vector<i32>)>;
    /// A marker of `side` pixels.
    fn draw(family: Family, id: i32, side: i32) -> opencv::Result<Mat>;
}

#[cfg(feature = "contrib")]
struct Contrib;

#[cfg(feature = "contrib")]
impl Contrib {
    fn dictionary(family: Family) -> opencv::Result<opencv::core::Ptr<opencv::aruco::Dictionary>> {
        use opencv::aruco::PREDEFINED_DICTIONARY_NAME as Name;
        opencv::aruco::get_predefined_dictionary(match family {
            Family::Aruco4x4 => Name::DICT_4X4_50,
            Family::AprilTag36h11 => Name::DICT_APRILTAG_36h11,
        })
    }
}

#[cfg(feature = "contrib")]
impl Finder for Contrib {
    fn find(
        picture: &Mat,
        family: Family,
    ) -> opencv::Result<(Vector<Vector<Point2f>>, Vector<i32>)> {
        let (mut corners, mut ids) = (Vector::new(), Vector::new());
        let dictionary = Self::dictionary(family)?;
        opencv::aruco::detect_markers_def(picture, &dictionary, &mut corners, &mut ids)?;
        Ok((corners, ids))
    }

    fn draw(family: Family, id: i32, side: i32) -> opencv::Result<Mat> {
        let mut picture = Mat::default();
        opencv::aruco::draw_marker(&Self::dictionary(family)?, id, side, &mut picture, 1)?;
        Ok(picture)
    }
}

#[cfg(all(feature = "objdetect", not(feature = "contrib")))]
struct Objdetect;

#[cfg(all(feature = "objdetect", not(feature = "contrib")))]
impl Objdetect {
    fn dictionary(family: Family) -> opencv::Result<opencv::objdetect::Dictionary> {
        use opencv::objdetect::PredefinedDictionaryType as Name;
        opencv::objdetect::get_predefined_dictionary(match family {
            Family::Aruco4x4 => Name::DICT_4X4_50,
            Family::AprilTag36h11 => Name::DICT_APRILTAG_36h11,
        })
    }
}

#[cfg(all(feature = "objdetect", not(feature = "contrib")))]
impl Finder for Objdetect {
    fn find(
        picture: &Mat,
        family: Family,
    ) -> opencv::Result<(Vector<Vector<Point2f>>, Vector<i32>)> {
        use opencv::objdetect::{ArucoDetector, DetectorParameters, RefineParameters};
        use opencv::prelude::*;
        let (mut corners, mut ids) = (Vector::new(), Vector::new());
        let dictionary = Self::dictionary(family)?;
        let parameters = DetectorParameters::default()?;
        let refine = RefineParameters::new_def()?;
        let detector = ArucoDetector::new(&dictionary, &parameters, refine)?;
        detector.detect_markers_def(picture, &mut corners, &mut ids)?;
        Ok((corners, ids))
    }

    fn draw(family: Family, id: i32, side: i32) -> opencv::Result<Mat> {
        let mut picture = Mat::default();
        let dictionary = Self::dictionary(family)?;
        opencv::objdetect::generate_image_marker(&dictionary, id, side, &mut picture, 1)?;
        Ok(picture)
    }
}

#[cfg(feature = "contrib")]
type Here = Contrib;
#[cfg(all(feature = "objdetect", not(feature = "contrib")))]
type Here = Objdetect;
#[cfg(not(any(feature = "contrib", feature = "objdetect")))]
compile_error!(
    "choose how markers are found: feature `contrib` (OpenCV up to 4.6) or `objdetect` (from 4.7 on)"
);

/// The markers of a family in a picture, by their numbers.
///
/// # Errors
/// When OpenCV fails.
pub fn find(picture: &Frame, family: Family) -> Result<Vec<Marker>, CameraError> {
    let (corners, ids) = Here::find(&mat(picture)?, family)?;
    let mut markers = Vec::new();
    for (corners, id) in corners.iter().zip(ids.iter()) {
        let points: Vec<(f64, f64)> = corners
            .iter()
            .map(|point| (f64::from(point.x), f64::from(point.y)))
            .collect();
        if let Ok(corners) = points.try_into() {
            markers.push(Marker { id, corners });
        }
    }
    markers.sort_by_key(|marker| marker.id);
    Ok(markers)
}

/// A marker to print: a picture of `side` x `side` pixels.
///
/// # Errors
/// When the family has no such number.
pub fn draw(family: Family, id: i32, side: i32) -> Result<Frame, CameraError> {
    frame(&Here::draw(family, id, side)?)
}

/// Pairs for `rulec_vision::Plane::through`: the middles of those markers whose place on the table is known.
pub fn corners(markers: &[Marker], on_table: &[(i32, (f64, f64))]) -> Vec<Pair> {
    let known = markers.iter().filter_map(|marker| {
        let (_, at) = on_table.iter().find(|(id, _)| *id == marker.id)?;
        Some((*at, marker.centre()))
    });
    known.collect()
}
