//! How a game looks, and where camera and arm find things.

use super::names::Dom;
use super::{Ids, Lower};
use crate::ast::{self, ElementType, Game, LocationType, Point};
use crate::ir::visit::walk_block;
use crate::ir::{
    ArmPose, BlobRange, Picture, PieceLook, PieceOwner, PlaceLook, Presentation, Shape, StmtKind,
};
use crate::values::clamped;

impl Lower<'_> {
    /// Everything about a game that is not play.
    pub(super) fn presentation(&self) -> Presentation {
        let game = self.game;
        Presentation {
            board: game.board_image.as_ref().map(|image| image.node.clone()),
            places: game
                .locations
                .values()
                .enumerate()
                .map(|(at, l)| place(game, at, l))
                .collect(),
            pieces: self.pieces(self.ids),
            blobs: game.real_types.iter().map(blob).collect(),
            owners: self.owners(),
            ..Presentation::default()
        }
    }

    /// Whose elements are, where that never changes.
    fn owners(&self) -> Vec<PieceOwner> {
        let mut changes = false;
        for function in &self.out.game.functions {
            walk_block(&function.body, &mut |stmt| {
                changes |=
                    matches!(&stmt.kind, StmtKind::SetVar(var, ..) if *var == self.ids.owner);
            });
        }
        if changes {
            return Vec::new();
        }
        let owned = self.game.elements.values().enumerate();
        let owner = owned.filter_map(|(at, element)| {
            Some(PieceOwner {
                domain: Dom::Element.id(),
                member: at as u32,
                player: u32::try_from(element.player.node).ok()?.checked_sub(1)?,
            })
        });
        owner.collect()
    }

    fn pieces(&self, ids: Ids) -> Vec<PieceLook> {
        let first = self.types.state_range().0;
        let look = |(at, element): (usize, &ast::Element)| PieceLook {
            domain: Dom::Element.id(),
            member: at as u32,
            kind: element.ty.node.clone(),
            state: Some(ids.state),
            pictures: match self.game.element_types.get(&element.ty.node) {
                Some(ty) => pictures(ty, first),
                None => Vec::new(),
            },
            z_order: Some(ids.z),
        };
        self.game.elements.values().enumerate().map(look).collect()
    }
}

fn point(point: Point) -> (i32, i32) {
    (point.x, point.y)
}

fn picture(image: &str, hot_spot: Point) -> Picture {
    Picture {
        file: image.to_owned(),
        hot_spot: point(hot_spot),
    }
}

fn place(game: &Game, at: usize, location: &ast::Location) -> PlaceLook {
    let ty = game.location_types.get(&location.ty.node);
    let image = |ty: &LocationType| Some(picture(&ty.image.as_ref()?.node, ty.point));
    PlaceLook {
        domain: Dom::Location.id(),
        member: at as u32,
        kind: location.ty.node.clone(),
        at: Some((f64::from(location.point.x), f64::from(location.point.y))),
        shape: ty.and_then(|ty| ty.shape).map(shape),
        picture: ty.and_then(image),
        camera: location.camera.map(point),
        arm: location.robot.map(arm),
        relevant: ty.is_none_or(|ty| ty.relevant),
    }
}

fn shape(shape: ast::Shape) -> Shape {
    match shape {
        ast::Shape::Circle { radius } => Shape::Circle(f64::from(radius)),
        ast::Shape::Rectangle { width, height } => {
            Shape::Rectangle(f64::from(width), f64::from(height))
        }
    }
}

fn arm(robot: ast::Robot) -> ArmPose {
    match robot {
        ast::Robot::Angles { above, at } => {
            let mut angles = [0.0; 10];
            angles[..5].copy_from_slice(&clamped(above));
            angles[5..].copy_from_slice(&clamped(at));
            ArmPose::Angles(angles)
        }
        ast::Robot::Place { x, y, z } => ArmPose::Position([x, y, z]),
    }
}

/// The pictures of all states from `first` on; states without one of their own show the first.
fn pictures(ty: &ElementType, first: i32) -> Vec<Option<Picture>> {
    let show = |state: i32| {
        let own = usize::try_from(state - 1)
            .ok()
            .and_then(|at| ty.pictures.get(at));
        let shown = own.or(ty.pictures.first())?;
        Some(picture(&shown.image.node, shown.point))
    };
    let last = ty.states.node.min(first.saturating_add(1 << 10));
    (first..=last).map(show).collect()
}

fn blob(real: &ast::RealType) -> BlobRange {
    BlobRange {
        kind: real.name.node.clone(),
        state: real.state.node,
        hue: (real.hue.min, real.hue.max),
        saturation: (real.saturation.min, real.saturation.max),
        value: (real.value.min, real.value.max),
        size: (i64::from(real.size.min), i64::from(real.size.max)),
    }
}
