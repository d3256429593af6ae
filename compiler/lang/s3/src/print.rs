//! The syntax tree as text: the same game in its plainest spelling, with all defaults written out.
//!
//! Reading the text gives the same tree, up to places.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{
    Award, Definition, Element, ElementType, Ending, Expr, ExprKind, Game, IntPattern, Location,
    LocationType, RealType, Robot, Rule, Scoring, Shape, Template, TemplatePart,
};
use super::scan::is_separator;

impl Display for Game {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("[BOARD]\n")?;
        if let Some(image) = &self.board_image {
            writeln!(f, "image={}", image.node)?;
        }
        section(f, "REALBOARD ELEMENT TYPES", &self.real_types)?;
        section(f, "ELEMENT TYPES", self.element_types.values())?;
        section(f, "LOCATION TYPES", self.location_types.values())?;
        section(f, "LOCATIONS", self.locations.values())?;
        f.write_str("\n[PLAYER NAMES]\n")?;
        for (at, name) in self.players.iter().enumerate() {
            writeln!(f, "{}={}", at + 1, name.node)?;
        }
        if let Some(score) = &self.initial_score {
            writeln!(f, "score={}", score.node)?;
        }
        section(f, "MOVABLE ELEMENTS", self.elements.values())?;
        section(f, "EXPRESSIONS", self.expressions.values())?;
        section(f, "SCORINGS", &self.scorings)?;
        section(f, "END OF GAME", &self.endings)?;
        section(f, "GAME RULES", self.rules.values())
    }
}

fn section<T: Display>(
    f: &mut Formatter<'_>,
    title: &str,
    records: impl IntoIterator<Item = T>,
) -> fmt::Result {
    writeln!(f, "\n[{title}]")?;
    for (at, record) in records.into_iter().enumerate() {
        let gap = if at > 0 { "\n" } else { "" };
        write!(f, "{gap}{record}")?;
    }
    Ok(())
}

impl Display for RealType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "name={}\nstate={}", self.name.node, self.state.node)?;
        writeln!(f, "hueMin={}\nhueMax={}", self.hue.min, self.hue.max)?;
        writeln!(
            f,
            "saturationMin={}\nsaturationMax={}",
            self.saturation.min, self.saturation.max
        )?;
        writeln!(
            f,
            "valueMin={}\nvalueMax={}",
            self.value.min, self.value.max
        )?;
        writeln!(f, "sizeMin={}\nsizeMax={}", self.size.min, self.size.max)
    }
}

impl Display for ElementType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "name={}\nstates={}", self.name.node, self.states.node)?;
        for picture in &self.pictures {
            let point = picture.point;
            writeln!(
                f,
                "image={}\npoint={},{}",
                picture.image.node, point.x, point.y
            )?;
        }
        Ok(())
    }
}

impl Display for LocationType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "name={}", self.name.node)?;
        if let Some(image) = &self.image {
            writeln!(f, "image={}", image.node)?;
        }
        match self.shape {
            Some(Shape::Circle { radius }) => writeln!(f, "shape=circle({radius})")?,
            Some(Shape::Rectangle { width, height }) => {
                writeln!(f, "shape=rectangular({width},{height})")?;
            }
            None => {}
        }
        let relevant = if self.relevant { "yes" } else { "no" };
        writeln!(
            f,
            "relevant={relevant}\npoint={},{}",
            self.point.x, self.point.y
        )
    }
}

impl Display for Location {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "name={}\ntype={}", self.name.text, self.ty.node)?;
        writeln!(f, "point={},{}", self.point.x, self.point.y)?;
        if let Some(camera) = self.camera {
            writeln!(f, "camera={},{}", camera.x, camera.y)?;
        }
        match self.robot {
            Some(Robot::Angles { above, at }) => {
                let angles: Vec<String> = above.iter().chain(&at).map(f64::to_string).collect();
                writeln!(f, "robot={}", angles.join(","))
            }
            Some(Robot::Place { x, y, z }) => writeln!(f, "robot={x},{y},{z}"),
            None => Ok(()),
        }
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "name={}\ntype={}", self.name.text, self.ty.node)?;
        writeln!(
            f,
            "location={}\nplayer={}",
            self.location.node, self.player.node
        )?;
        writeln!(f, "state={}\nzindex={}", self.state.node, self.zindex)
    }
}

impl Display for Definition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.node)?;
        if !self.params.is_empty() {
            let params: Vec<String> = self
                .params
                .iter()
                .map(|param| format!("${}", param.node))
                .collect();
            write!(f, "({})", params.join(","))?;
        }
        f.write_char('\n')?;
        for line in &self.body {
            let text = line.to_string();
            // Lines that would be skipped or taken for something else.
            let short = text.chars().nth(1).is_none();
            let other = text.starts_with('[') || text.eq_ignore_ascii_case("END");
            let (open, close) = if short || other { ("(", ")") } else { ("", "") };
            writeln!(f, "  {open}{text}{close}")?;
        }
        f.write_str("END\n")
    }
}

fn awards(f: &mut Formatter<'_>, awards: &[Award], player: &str, amount: &str) -> fmt::Result {
    awards
        .iter()
        .try_for_each(|award| writeln!(f, "{player}={}\n{amount}={}", award.player, award.amount))
}

impl Display for Scoring {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "situation={}", self.situation)?;
        awards(f, &self.awards, "player", "score")
    }
}

impl Display for Ending {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "situation={}\nwinner={}", self.situation, self.winner)
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "name={}\nelement={}", self.name.node, self.element)?;
        for (key, pattern) in [("state", &self.state), ("player", &self.player)] {
            match pattern {
                Some(IntPattern::Bind(var)) => writeln!(f, "{key}=${}", var.node)?,
                Some(IntPattern::Equals(expr)) => writeln!(f, "{key}={expr}")?,
                None => {}
            }
        }
        writeln!(f, "from={}\nto={}", self.from, self.to)?;
        if let Some(condition) = &self.condition {
            writeln!(f, "condition={condition}")?;
        }
        awards(f, &self.awards, "awardPlayer", "withScore")?;
        for (key, expr) in [("followup", &self.followup), ("toLocations", &self.targets)] {
            if let Some(expr) = expr {
                writeln!(f, "{key}={expr}")?;
            }
        }
        Ok(())
    }
}

impl Display for Template {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut after_var = false;
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => {
                    // A blank ends the name of a variable and vanishes itself.
                    let joins = after_var && !text.node.starts_with(is_separator);
                    write!(f, "{}{}", if joins { " " } else { "" }, text.node)?;
                    after_var = false;
                }
                TemplatePart::Var(var) => {
                    write!(f, "${}", var.node)?;
                    after_var = true;
                }
            }
        }
        Ok(())
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Int(value) => write!(f, "{value}"),
            ExprKind::Str(template) => write!(f, "\"{template}\""),
            ExprKind::Bool(value) => write!(f, "{value}"),
            ExprKind::Var(name) => write!(f, "${name}"),
            ExprKind::Set(items) => listed(f, "{", items, "}"),
            ExprKind::Lazy(items) => listed(f, "[", items, "]"),
            ExprKind::Unary { op, operand, .. } => {
                let blank = if op.spelling() == "-" { "" } else { " " };
                write!(f, "{}{blank}{operand}", op.spelling())
            }
            ExprKind::Binary {
                op, left, right, ..
            } => {
                let operator = matches!(
                    left.kind,
                    ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Assign { .. }
                );
                let (open, close) = if operator { ("(", ")") } else { ("", "") };
                write!(f, "{open}{left}{close} {} {right}", op.spelling())
            }
            ExprKind::Assign { var, value } => write!(f, "${} = {value}", var.node),
            ExprKind::If { condition, yes, no } => write!(f, "IF({condition}, {yes}, {no})"),
            ExprKind::Loop {
                quantifier,
                var,
                from,
                to,
                body,
            } => {
                write!(
                    f,
                    "{}(${}, {from}, {to}, {body})",
                    quantifier.spelling(),
                    var.node
                )
            }
            ExprKind::Builtin { builtin, args, .. } => called(f, builtin.signature().name, args),
            ExprKind::Call { name, args } => called(f, &name.node, args),
        }
    }
}

fn called(f: &mut Formatter<'_>, name: &str, args: &[Expr]) -> fmt::Result {
    f.write_str(name)?;
    if args.is_empty() {
        Ok(())
    } else {
        listed(f, "(", args, ")")
    }
}

fn listed(f: &mut Formatter<'_>, open: &str, items: &[Expr], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (at, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if at > 0 { ", " } else { "" })?;
    }
    f.write_str(close)
}
