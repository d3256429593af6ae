//! Connected components of pictures whose pixels have classes.

/// An area of pixels of one class that touch by their sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// The class of its pixels.
    pub class: u8,
    /// Number of pixels.
    pub size: u64,
    /// Sums of the coordinates of its pixels.
    pub sums: (u64, u64),
    /// Least coordinates.
    pub least: (u32, u32),
    /// Greatest coordinates.
    pub most: (u32, u32),
}

impl Component {
    /// The mean of its pixels.
    pub fn centre(&self) -> (f64, f64) {
        let size = self.size as f64;
        (self.sums.0 as f64 / size, self.sums.1 as f64 / size)
    }
}

/// A stretch of pixels of one class in a row.
struct Run {
    class: u8,
    row: u32,
    first: u32,
    /// The one behind the last.
    end: u32,
    parent: u32,
}

/// The components of all classes from `least` on, in the order of their first pixels in rows.
///
/// Runs of a row are joined with those of the row above that they touch: pixels that meet at corners only are apart.
pub fn components(classes: &[u8], width: usize, least: u8) -> Vec<Component> {
    let mut runs: Vec<Run> = Vec::new();
    let mut above = 0..0;
    for (row, classes) in classes.chunks_exact(width.max(1)).enumerate() {
        let start = runs.len();
        let mut x = 0;
        while x < classes.len() {
            let class = classes[x];
            let same = classes[x..].iter().position(|&other| other != class);
            let end = same.map_or(classes.len(), |length| x + length);
            if class >= least {
                runs.push(Run {
                    class,
                    row: row as u32,
                    first: x as u32,
                    end: end as u32,
                    parent: runs.len() as u32,
                });
            }
            x = end;
        }
        join(&mut runs, above, start);
        above = start..runs.len();
    }
    gather(&mut runs)
}

/// Joins the runs of the last row, which begin at `start`, with those above that they touch.
fn join(runs: &mut [Run], above: std::ops::Range<usize>, start: usize) {
    let mut upper = above.start;
    for lower in start..runs.len() {
        while upper < above.end && runs[upper].end <= runs[lower].first {
            upper += 1;
        }
        let mut touching = upper;
        while touching < above.end && runs[touching].first < runs[lower].end {
            if runs[touching].class == runs[lower].class {
                let (a, b) = (root(runs, touching), root(runs, lower));
                let (first, later) = (a.min(b), a.max(b));
                runs[later].parent = first as u32;
            }
            touching += 1;
        }
    }
}

fn root(runs: &mut [Run], mut run: usize) -> usize {
    while runs[run].parent as usize != run {
        let parent = runs[run].parent as usize;
        runs[run].parent = runs[parent].parent;
        run = parent;
    }
    run
}

fn gather(runs: &mut [Run]) -> Vec<Component> {
    let mut found: Vec<Component> = Vec::new();
    let mut number = vec![0usize; runs.len()];
    for run in 0..runs.len() {
        let root = root(runs, run);
        let this = &runs[run];
        let (size, middle) = (
            u64::from(this.end - this.first),
            u64::from(this.first + this.end - 1),
        );
        if root == run {
            number[run] = found.len();
            found.push(Component {
                class: this.class,
                size: 0,
                sums: (0, 0),
                least: (this.first, this.row),
                most: (this.end - 1, this.row),
            });
        }
        let whole = &mut found[number[root]];
        whole.size += size;
        whole.sums.0 += middle * size / 2;
        whole.sums.1 += u64::from(this.row) * size;
        whole.least.0 = whole.least.0.min(this.first);
        whole.most.0 = whole.most.0.max(this.end - 1);
        whole.most.1 = this.row;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulec_core::Rng;

    /// The same, pixel by pixel.
    fn flood(classes: &[u8], width: usize) -> Vec<Component> {
        let height = classes.len() / width;
        let mut left = classes.to_vec();
        let mut found = Vec::new();
        for start in 0..left.len() {
            let class = left[start];
            if class == 0 {
                continue;
            }
            let mut all = Vec::new();
            let mut todo = vec![start];
            while let Some(at) = todo.pop() {
                if left[at] != class {
                    continue;
                }
                left[at] = 0;
                let (x, y) = (at % width, at / width);
                all.push((x as u32, y as u32));
                todo.extend((x > 0).then(|| at - 1));
                todo.extend((x + 1 < width).then_some(at + 1));
                todo.extend((y > 0).then(|| at - width));
                todo.extend((y + 1 < height).then_some(at + width));
            }
            let range = |of: fn(&(u32, u32)) -> u32| {
                let all = || all.iter().map(of);
                (all().min().unwrap_or(0), all().max().unwrap_or(0))
            };
            let (x, y) = (range(|p| p.0), range(|p| p.1));
            found.push(Component {
                class,
                size: all.len() as u64,
                sums: (
                    all.iter().map(|p| u64::from(p.0)).sum(),
                    all.iter().map(|p| u64::from(p.1)).sum(),
                ),
                least: (x.0, y.0),
                most: (x.1, y.1),
            });
        }
        found
    }

    #[test]
    fn components_are_those_of_flooding() {
        let mut rng = Rng::new(3, 0);
        for round in 0..300u32 {
            let (width, height) = (1 + rng.below(17) as usize, 1 + rng.below(13) as usize);
            let classes: Vec<u8> = (0..width * height)
                .map(|_| (rng.below(2 + round % 3) as u8).min(2))
                .collect();
            assert_eq!(components(&classes, width, 1), flood(&classes, width));
        }
        assert_eq!(components(&[], 0, 1), []);
    }
}
