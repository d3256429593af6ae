//! Where the gripper of the arm of the S3 Games (Lynxmotion AL5D) is, and how it gets somewhere.
//!
//! The base joint is 5 cm above the table, the upper arm 14.605 cm long, the forearm 18.7325 cm, and the hand of
//! 8.5725 cm hangs straight down. The formulas are those of the fork of 2017; only it maps points behind the arm in
//! front of it, which are refused here.

use crate::{Fault, Point};

const BASE: f64 = 5.0;
const UPPER: f64 = 14.605;
const FORE: f64 = 18.7325;
/// Length of the hand, and how far above a place the arm waits, in centimetres.
pub const HAND: f64 = 8.5725;
/// Angle of the hand of the fork of 2017, in degrees.
pub const TURN: f64 = 85.0;

/// Five angles, in degrees, that bring the gripper to a point.
///
/// # Errors
/// [`Fault::Unreachable`] for points behind the arm or too far away.
pub fn angles(point: Point, turn: f64) -> Result<[f64; 5], Fault> {
    let Point { x, y, z } = point;
    let out = x.hypot(y);
    let height = z + HAND - BASE;
    let reach = out.hypot(height);
    let unreachable = Fault::Unreachable(x, y, z);
    if y < 0.0 || out == 0.0 {
        return Err(unreachable);
    }
    let base = (x.abs() / out).asin().to_degrees().copysign(x);
    let cosine = |a: f64, b: f64, c: f64| (a * a + b * b - c * c) / (2.0 * a * b);
    let alpha = cosine(reach, UPPER, FORE).acos().to_degrees();
    let beta = cosine(UPPER, FORE, reach).acos().to_degrees();
    let gamma = 180.0 - alpha - beta;
    let rise = (height / reach).asin().to_degrees();
    let fall = (out / reach).asin().to_degrees();
    let found = [
        base,
        -(90.0 - (alpha + rise)),
        -(90.0 - beta),
        -(180.0 - (gamma + fall)),
        turn,
    ];
    match found.iter().all(|angle| angle.is_finite()) {
        true => Ok(found),
        false => Err(unreachable),
    }
}

/// Where five angles bring the gripper, if the hand hangs straight down.
pub fn point(angles: &[f64; 5]) -> Point {
    let base = angles[0].to_radians();
    let shoulder = (angles[1] + 90.0).to_radians();
    // The inner angle of the elbow, and from it the direction of the forearm.
    let elbow = (angles[2] + 90.0).to_radians();
    let fore = shoulder + elbow - std::f64::consts::PI;
    let out = UPPER * shoulder.cos() + FORE * fore.cos();
    let height = UPPER * shoulder.sin() + FORE * fore.sin();
    Point {
        x: out * base.sin(),
        y: out * base.cos(),
        z: height + BASE - HAND,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Point, b: Point) -> bool {
        (a.x - b.x).abs() < 1e-9 && (a.y - b.y).abs() < 1e-9 && (a.z - b.z).abs() < 1e-9
    }

    #[test]
    fn there_and_back() {
        for (x, y, z) in [
            (-9.0, 20.0, 0.0),
            (0.0, 20.0, 8.5),
            (9.0, 14.0, 2.0),
            (0.0, 25.0, -1.0),
        ] {
            let place = Point { x, y, z };
            assert!(
                close(point(&angles(place, TURN).unwrap()), place),
                "{place:?}"
            );
        }
    }

    #[test]
    fn known_poses() {
        // Worked out from the formulas by hand for the middle of the row of the fork of 2017.
        let middle = angles(
            Point {
                x: 0.0,
                y: 21.0,
                z: 0.0,
            },
            TURN,
        )
        .unwrap();
        let rounded = middle.map(|angle| (angle * 10.0).round() / 10.0 + 0.0);
        assert_eq!(rounded, [0.0, -20.9, -11.6, -57.5, 85.0]);
    }

    #[test]
    fn points_out_of_reach_are_refused() {
        for (x, y, z) in [
            (0.0, -20.0, 0.0),
            (0.0, 40.0, 0.0),
            (0.0, 0.0, 10.0),
            (0.0, 2.0, 0.0),
        ] {
            assert!(angles(Point { x, y, z }, TURN).is_err(), "{x} {y} {z}");
        }
    }
}
