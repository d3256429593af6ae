//! Charts as SVG.

use plotters::prelude::*;
use serde_json::Value;

use crate::page::{list, text, tidy};

/// Size of a chart in pixels.
const SIZE: (u32, u32) = (560, 300);
/// Most bars of a histogram.
const BARS: usize = 40;
/// The span of whole numbers that have a bar each.
const FEW: f64 = 12.0;
/// Colours of charts, told apart by the colour-blind too (Okabe and Ito, 2008).
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);
/// A chart, drawn by `draw` on an area of the usual size; nothing if that fails.
fn drawn<F>(draw: F) -> Option<String>
where
    F: FnOnce(
        &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn std::error::Error>>,
{
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE).ok()?;
        draw(&area).ok()?;
        area.present().ok()?;
    }
    Some(svg)
}

/// The share of games that each player wins, with intervals.
pub(crate) fn win_chart(rows: &[(String, f64, f64, f64)], caption: &str) -> Option<String> {
    let count = rows.len();
    let even = 100.0 / count.max(1) as f64;
    let most = rows.iter().map(|row| row.3).fold(even, f64::max) * 1.1;
    if count == 0 {
        return None;
    }
    drawn(|area| {
        let mut chart = ChartBuilder::on(area)
            .caption(caption, ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..count as f64, 0.0..most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_labels(count * 2 + 1)
            .x_label_formatter(&|x| {
                let middle = (x.fract() - 0.5).abs() < 0.01;
                let row = rows.get(*x as usize).filter(|_| middle);
                row.map_or(String::new(), |row| row.0.clone())
            })
            .y_label_formatter(&|y| tidy(*y))
            .draw()?;
        // What each would win if all were equal.
        let dashes = DashedLineSeries::new(
            [(0.0, even), (count as f64, even)],
            6,
            5,
            BLACK.mix(0.5).stroke_width(1),
        );
        chart.draw_series(dashes)?;
        for (index, (_, rate, low, high)) in rows.iter().enumerate() {
            let x = index as f64;
            let bar = Rectangle::new([(x + 0.2, 0.0), (x + 0.8, *rate)], BLUE.mix(0.7).filled());
            chart.draw_series([bar])?;
            let line = |points: Vec<(f64, f64)>| PathElement::new(points, ORANGE.stroke_width(2));
            chart.draw_series([
                line(vec![(x + 0.5, *low), (x + 0.5, *high)]),
                line(vec![(x + 0.45, *low), (x + 0.55, *low)]),
                line(vec![(x + 0.45, *high), (x + 0.55, *high)]),
            ])?;
        }
        Ok(())
    })
}

/// How many games ended with what value of a meter.
pub(crate) fn histogram(meter: &Value) -> Option<String> {
    let values: Vec<(f64, u64)> = list(&meter["histogram"])
        .iter()
        .filter_map(|pair| Some((pair[0].as_f64()?, pair[1].as_u64()?)))
        .collect();
    let (first, last) = (values.first()?.0, values.last()?.0);
    let width = bar_width(last - first, &values);
    let bars = ((last - first) / width).floor() as usize + 1;
    let mut counts = vec![0_u64; bars];
    for (value, count) in &values {
        let bar = ((value - first) / width).floor() as usize;
        counts[bar.min(bars - 1)] += count;
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let (name, unit) = (text(&meter["name"]), text(&meter["unit"]));
    let caption = match unit.is_empty() {
        true => format!("{name}: number of games"),
        false => format!("{name} in {unit}: number of games"),
    };
    drawn(|area| {
        // Bars of single whole numbers stand over them; others begin at the first number that they count.
        let single = width == 1.0 && first.fract() == 0.0;
        let first = if single { first - 0.5 } else { first };
        let label = |x: f64| match single && x.fract() != 0.0 {
            true => String::new(),
            false => tidy(x),
        };
        let end = first + width * bars as f64;
        let mut chart = ChartBuilder::on(area)
            .caption(caption, ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(64)
            .build_cartesian_2d(first..end, 0.0..most as f64 * 1.05)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_label_formatter(&|x| label(*x))
            .y_label_formatter(&|y| tidy(*y))
            .draw()?;
        let bar = |(index, count): (usize, &u64)| {
            let left = first + width * (index as f64 + 0.03);
            let right = left + width * 0.94;
            Rectangle::new(
                [(left, 0.0), (right, *count as f64)],
                BLUE.mix(0.7).filled(),
            )
        };
        chart.draw_series(counts.iter().enumerate().map(bar))?;
        Ok(())
    })
}

/// The width of a bar: a round number of the least distance between values.
fn bar_width(span: f64, values: &[(f64, u64)]) -> f64 {
    // Few whole numbers have a bar each, whether they come up or not.
    if span <= FEW && values.iter().all(|(value, _)| value.fract() == 0.0) {
        return 1.0;
    }
    let gaps = values.windows(2).map(|pair| pair[1].0 - pair[0].0);
    let least = gaps.fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 1.0 };
    let many = (span / least / BARS as f64).ceil().max(1.0);
    least * many
}

/// Colours of lines, told apart by the colour-blind too.
const COLOURS: [RGBColor; 6] = [
    BLUE,
    ORANGE,
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Lines through points, with their names.
pub(crate) fn lines(series: &[(String, Vec<(f64, f64)>)], caption: &str) -> Option<String> {
    let points = || series.iter().flat_map(|(_, points)| points);
    let right = points().map(|p| p.0).fold(2.0, f64::max);
    let top = points().map(|p| p.1).fold(1.0, f64::max) * 1.05;
    points().next()?;
    drawn(|area| {
        let mut chart = ChartBuilder::on(area)
            .caption(caption, ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(48)
            .build_cartesian_2d(1.0..right, 0.0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_label_formatter(&|x| tidy(*x))
            .y_label_formatter(&|y| tidy(*y))
            .draw()?;
        for (index, (name, points)) in series.iter().enumerate() {
            let style = COLOURS[index % COLOURS.len()].stroke_width(2);
            chart
                .draw_series(LineSeries::new(points.iter().copied(), style))?
                .label(name.clone())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.2))
            .draw()?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_wide_as_values_are_apart() {
        let values: Vec<(f64, u64)> = (0..10).map(|n| (f64::from(n) * 0.5, 1)).collect();
        assert_eq!(bar_width(4.5, &values), 0.5);
        assert_eq!(bar_width(1000.0, &values), 25.0);
        assert_eq!(bar_width(0.0, &values[..1]), 1.0);
        assert_eq!(bar_width(2.0, &[(7.0, 10), (9.0, 10)]), 1.0);
    }

    #[test]
    fn a_chart_is_whole_and_escapes_names() {
        let meter =
            serde_json::json!({ "name": "a<b", "unit": "s", "histogram": [[1.0, 2], [2.0, 3]] });
        let svg = histogram(&meter).expect("a chart");
        assert!(svg.contains("a&lt;b") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(crate::page::escape("<\"&>"), "&lt;&quot;&amp;&gt;");
    }
}
