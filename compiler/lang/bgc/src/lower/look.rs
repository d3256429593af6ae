//! How the game looks.

use super::Lower;
use crate::ir::{Picture, PieceLook, PieceOwner, PlaceColours, PlaceLook, Presentation, Shape};
use crate::script::Script;

/// Pixels for the size of a cell.
const SCALE: f64 = 64.0;

impl Lower<'_> {
    /// Cells with their outlines, pictures of figures.
    pub(super) fn look(&mut self) {
        let look = &self.game.look;
        let cells = self.names.cells.iter().enumerate();
        let places = cells.map(|(member, at)| {
            let number = |script: &Script| script.eval(at).to_number() * SCALE;
            let corner = look.position.each_ref().map(number);
            let points: Vec<[f64; 2]> = look
                .outline
                .iter()
                .map(|point| point.each_ref().map(number))
                .collect();
            let count = points.len().max(1) as f64;
            let mean = [0, 1].map(|axis| points.iter().map(|p| p[axis]).sum::<f64>() / count);
            let corners = points.iter().map(|p| (p[0] - mean[0], p[1] - mean[1]));
            PlaceLook {
                domain: self.cell,
                member: member as u32,
                kind: "cell".to_owned(),
                at: Some((corner[0] + mean[0], corner[1] + mean[1])),
                shape: Some(Shape::Polygon(corners.collect())),
                picture: None,
                camera: None,
                arm: None,
                relevant: true,
            }
        });
        let places = places.collect();
        let colours = self.names.cells.iter().enumerate().map(|(member, at)| {
            let colour = |script: &Script| script.eval(at).to_text();
            PlaceColours {
                domain: self.cell,
                member: member as u32,
                fill: colour(&look.fill),
                chosen: colour(&look.selector),
                possible: colour(&look.highlighter),
            }
        });
        let colours = colours.collect();
        let owners = self.names.kinds.iter().enumerate();
        let owners = owners.filter_map(|(member, (player, _))| {
            Some(PieceOwner {
                domain: self.kind,
                member: member as u32,
                player: self.game.player(player)? as u32,
            })
        });
        let owners = owners.collect();
        let players = self.game.players.iter();
        let turned = players.map(|player| look.rotation.get(&player.node).copied().unwrap_or(0.0));
        let turned = turned.collect();
        let pieces = self.names.kinds.iter().enumerate().map(|(member, kind)| {
            let picture = look.pictures.get(kind).map(|file| Picture {
                file: file.clone(),
                hot_spot: (0, 0),
            });
            PieceLook {
                domain: self.kind,
                member: member as u32,
                kind: kind.1.clone(),
                state: None,
                pictures: vec![picture],
                z_order: None,
            }
        });
        self.b.game.presentation = Presentation {
            board: None,
            places,
            pieces: pieces.collect(),
            blobs: Vec::new(),
            colours,
            owners,
            turned,
            links: Vec::new(),
            drawing: None,
        };
    }
}
