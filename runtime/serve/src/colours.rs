//! Whether the colours of the page differ enough, for each kind of board, in light and in dark: contrast as WCAG 2.2 has it.

use std::collections::BTreeMap;

const STYLE: &str = include_str!("page.css");

/// The colours of variables, light and dark.
type Colours = BTreeMap<String, [String; 2]>;

/// The variables that the block behind a selector sets.
fn block(selector: &str) -> Colours {
    let (_, rest) = STYLE.split_once(selector).expect("there is such a block");
    let (body, _) = rest.split_once('}').expect("it ends");
    let mut found = Colours::new();
    for line in body.split(';') {
        let Some((name, value)) = line.split_once("light-dark(") else {
            continue;
        };
        let name = name.rsplit("--").next().unwrap_or_default();
        let both: Vec<&str> = value.trim_end_matches(')').split(',').collect();
        if let [light, dark] = both[..] {
            let name = name.trim_end().trim_end_matches(':');
            let pair = [light.trim().to_owned(), dark.trim().to_owned()];
            found.insert(name.to_owned(), pair);
        }
    }
    found
}

/// The relative luminance of a colour.
fn luminance(colour: &str) -> f64 {
    let number = u32::from_str_radix(&colour[1..7], 16).expect("a colour");
    let part = |shift: u32| {
        let part = f64::from(number >> shift & 255) / 255.0;
        match part <= 0.04045 {
            true => part / 12.92,
            false => ((part + 0.055) / 1.055).powf(2.4),
        }
    };
    0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn letters_and_pieces_stand_out_on_every_board() {
    let usual = block(":root {");
    for board in ["", "green", "blue", "grey"] {
        let mut colours = usual.clone();
        if !board.is_empty() {
            colours.extend(block(&format!(":root[data-board={board}] {{")));
        }
        for theme in [0, 1] {
            let of = |name: &str| colours[name][theme].as_str();
            for (one, other, least) in [
                (of("ink"), of("page"), 4.5),
                (of("soft"), of("page"), 4.5),
                (of("soft"), of("card"), 4.5),
                (of("on-accent"), of("accent"), 4.5),
                (of("bad"), of("bad-paper"), 4.5),
                (of("good"), of("good-paper"), 4.5),
                (of("on-l"), of("sql"), 4.5),
                (of("on-d"), of("sqd"), 4.5),
                ("#03140a", of("felt"), 4.5),
                (of("line"), of("plate"), 4.5),
                ("#33302c", of("sqd"), 3.0),
                ("#33302c", of("felt"), 3.0),
                ("#4a2c19", of("sqd"), 3.0),
                ("#0b2214", of("sqd"), 3.0),
                (of("sql"), of("sqd"), 2.0),
            ] {
                let found = contrast(one, other);
                assert!(
                    found >= least,
                    "{board} {theme}: {one} on {other} has {found:.2}"
                );
            }
        }
    }
}

#[test]
fn pieces_of_wood_are_those_of_white_and_black() {
    let side = |name: &str| {
        let document = format!(
            r#"{{"players":0,"domains":{{"0":{{"members":["white","black"]}},"1":{{"members":["{name} king"]}},"2":{{"members":["a"]}}}},
            "placements":[{{"pieces":1,"places":2,"form":"Anonymous"}}],"vars":[],"families":[],
            "presentation":{{"places":[],"pieces":[],"colours":[],"owners":[],"turned":[]}}}}"#
        );
        let look = rulec_render::Look::read(&document).expect("looks");
        rulec_render::drawings(&look)
    };
    for name in ["white", "black"] {
        let all = side(name);
        let colour = if name == "white" {
            "#fbf8f0"
        } else {
            "#33302c"
        };
        assert!(all.contains(&format!("fill=\"{colour}\"")), "{name}: {all}");
        let known = format!("'{colour}': '{name}'");
        assert!(include_str!("page.js").contains(&known), "{known}");
        assert!(STYLE.contains(&format!("--{name}: #")), "{name}");
    }
}
