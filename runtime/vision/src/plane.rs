//! From the table to the picture and back: the projective map that points of both determine.

use serde::{Deserialize, Serialize};

/// A point of the table or of a picture.
pub type Point = (f64, f64);

/// A point of the table, and where it is in the picture.
pub type Pair = (Point, Point);

/// A projective map of the plane (a homography).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plane {
    rows: [[f64; 3]; 3],
}

/// Why points determine no map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaneError {
    /// Four pairs are needed.
    #[error("a map needs four pairs of points, {0} are known")]
    Few(usize),
    /// Three of the points lie on a line, or points coincide.
    #[error("the points lie on a line or on each other")]
    Degenerate,
}

impl Plane {
    /// The map that changes nothing.
    pub const SAME: Self = Self {
        rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    };

    /// The map of pairs of points: exact for four, least squares of the algebraic error for more (direct linear transform with
    /// normalised points; Hartley and Zisserman, Multiple View Geometry, algorithm 4.2, with the last entry fixed to 1).
    ///
    /// # Errors
    /// When the points determine none.
    pub fn through(pairs: &[Pair]) -> Result<Self, PlaneError> {
        let pairs: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        Self::weighted(&pairs)
    }

    /// As [`Plane::through`], where the squared error of each pair counts as much as its weight says, such as one by the
    /// variance of the point in the picture.
    ///
    /// # Errors
    /// When the points determine no map.
    pub fn weighted(pairs: &[(Point, Point, f64)]) -> Result<Self, PlaneError> {
        if pairs.len() < 4 {
            return Err(PlaneError::Few(pairs.len()));
        }
        let from = Norm::of(pairs.iter().map(|pair| pair.0)).ok_or(PlaneError::Degenerate)?;
        let to = Norm::of(pairs.iter().map(|pair| pair.1)).ok_or(PlaneError::Degenerate)?;
        let mut normal = [[0.0; 9]; 8];
        for &(a, b, weight) in pairs {
            let ((x, y), (u, v)) = (from.apply(a), to.apply(b));
            let equations = [
                [x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u],
                [0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v],
            ];
            for row in equations {
                for i in 0..8 {
                    for j in 0..9 {
                        normal[i][j] += weight * row[i] * row[j];
                    }
                }
            }
        }
        let h = solve(normal).ok_or(PlaneError::Degenerate)?;
        let inner = Self {
            rows: [[h[0], h[1], h[2]], [h[3], h[4], h[5]], [h[6], h[7], 1.0]],
        };
        let map = to.map().inverse().ok_or(PlaneError::Degenerate)?;
        let map = map.after(&inner).after(&from.map());
        match map.inverse() {
            Some(_) => Ok(map),
            None => Err(PlaneError::Degenerate),
        }
    }

    /// Where a point goes.
    #[inline]
    pub fn apply(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let [a, b, c] = self.rows;
        let w = c[0] * x + c[1] * y + c[2];
        (
            (a[0] * x + a[1] * y + a[2]) / w,
            (b[0] * x + b[1] * y + b[2]) / w,
        )
    }

    /// The map back; nothing if this one is flat.
    pub fn inverse(&self) -> Option<Self> {
        let m = &self.rows;
        let minor = |r: usize, c: usize| {
            let (r0, r1, c0, c1) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]
        };
        let det: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
        let size: f64 = m.iter().flatten().fold(0.0, |most, x| most.max(x.abs()));
        if !det.is_finite() || det.abs() <= 1e-12 * size.powi(3) * 1e-6 {
            return None;
        }
        let mut rows = [[0.0; 3]; 3];
        for (r, row) in rows.iter_mut().enumerate() {
            for (c, cell) in row.iter_mut().enumerate() {
                *cell = minor(c, r) / det;
            }
        }
        Some(Self { rows })
    }

    /// This map after another one.
    pub fn after(&self, first: &Self) -> Self {
        let mut rows = [[0.0; 3]; 3];
        for (r, row) in rows.iter_mut().enumerate() {
            for (c, cell) in row.iter_mut().enumerate() {
                *cell = (0..3).map(|k| self.rows[r][k] * first.rows[k][c]).sum();
            }
        }
        Self { rows }
    }

    /// By how much small areas grow at a point, such as pixels for one square unit of the table.
    pub fn scale(&self, (x, y): (f64, f64)) -> f64 {
        let [a, b, c] = self.rows;
        let w = c[0] * x + c[1] * y + c[2];
        let (u, v) = self.apply((x, y));
        let (ux, uy) = ((a[0] - u * c[0]) / w, (a[1] - u * c[1]) / w);
        let (vx, vy) = ((b[0] - v * c[0]) / w, (b[1] - v * c[1]) / w);
        (ux * vy - uy * vx).abs()
    }
}

/// Moves and scales points so that they lie around 0 with a distance of about 1: sums stay exact enough then.
struct Norm {
    centre: (f64, f64),
    scale: f64,
}

impl Norm {
    fn of(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<Self> {
        let count = points.clone().count() as f64;
        let sum = points
            .clone()
            .fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
        let centre = (sum.0 / count, sum.1 / count);
        let far = points.map(|p| ((p.0 - centre.0).powi(2) + (p.1 - centre.1).powi(2)).sqrt());
        let mean = far.sum::<f64>() / count;
        (mean.is_finite() && mean > 0.0).then_some(Self {
            centre,
            scale: 1.0 / mean,
        })
    }

    fn apply(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (
            (x - self.centre.0) * self.scale,
            (y - self.centre.1) * self.scale,
        )
    }

    fn map(&self) -> Plane {
        let (s, (x, y)) = (self.scale, self.centre);
        Plane {
            rows: [[s, 0.0, -s * x], [0.0, s, -s * y], [0.0, 0.0, 1.0]],
        }
    }
}

/// Solves eight equations by elimination with pivots; nothing if they depend on each other.
fn solve(mut m: [[f64; 9]; 8]) -> Option<[f64; 8]> {
    for i in 0..8 {
        let pivot = (i..8).max_by(|&a, &b| m[a][i].abs().total_cmp(&m[b][i].abs()))?;
        m.swap(i, pivot);
        if !m[i][i].is_finite() || m[i][i].abs() < 1e-10 {
            return None;
        }
        let top = m[i];
        for row in m.iter_mut().skip(i + 1) {
            let factor = row[i] / top[i];
            for j in i..9 {
                row[j] -= factor * top[j];
            }
        }
    }
    let mut x = [0.0; 8];
    for i in (0..8).rev() {
        let known: f64 = (i + 1..8).map(|j| m[i][j] * x[j]).sum();
        x[i] = (m[i][8] - known) / m[i][i];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: (f64, f64), b: (f64, f64)) -> bool {
        (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6
    }

    #[test]
    fn corners_go_where_they_belong() {
        let table = [(0.0, 0.0), (640.0, 0.0), (640.0, 480.0), (0.0, 480.0)];
        let seen = [(30.0, 25.0), (300.0, 31.0), (280.0, 220.0), (51.0, 210.0)];
        let pairs: Vec<_> = table.into_iter().zip(seen).collect();
        let plane = Plane::through(&pairs).expect("no three on a line");
        let back = plane.inverse().expect("not flat");
        for &(a, b) in &pairs {
            assert!(near(plane.apply(a), b) && near(back.apply(b), a));
        }
        let more: Vec<_> = (0..20)
            .map(|i| (f64::from(i * 31 % 17) * 30.0, f64::from(i * 7 % 13) * 40.0))
            .map(|p| (p, plane.apply(p)))
            .collect();
        let again = Plane::through(&more).expect("enough points");
        assert!(near(
            again.apply((100.0, 200.0)),
            plane.apply((100.0, 200.0))
        ));
        let step = 1e-4;
        let at = plane.apply((99.0, 77.0));
        let (right, down) = (
            plane.apply((99.0 + step, 77.0)),
            plane.apply((99.0, 77.0 + step)),
        );
        let area = (right.0 - at.0) * (down.1 - at.1) - (right.1 - at.1) * (down.0 - at.0);
        assert!((plane.scale((99.0, 77.0)) - area / step / step).abs() < 1e-3);
    }

    #[test]
    fn points_on_a_line_are_refused() {
        let line = [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (5.0, 0.0)];
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let pairs: Vec<_> = line.into_iter().zip(square).collect();
        assert_eq!(Plane::through(&pairs), Err(PlaneError::Degenerate));
        assert_eq!(Plane::through(&pairs[..3]), Err(PlaneError::Few(3)));
        let same = [((3.0, 3.0), (1.0, 1.0)); 4];
        assert_eq!(Plane::through(&same), Err(PlaneError::Degenerate));
    }
}
