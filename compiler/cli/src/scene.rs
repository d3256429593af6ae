//! What a camera has to know of a game, from what its rules say about looks.

use rulec_compiler::ir::{
    self, BlobRange, DomainId, PieceLook, PlaceLook, PlacementForm, PlacementId, VarId,
};
use rulec_interp::{State, Value};
use rulec_vision::colour::{Hsv, Range, Rgb};
use rulec_vision::{Blob, Look, LookId, MOST_LOOKS, Piece, Place, Scene};

use crate::interpreted::{InterpretedGame, offset, piece_domains, place_domains};

/// Distance of places without coordinates.
const PITCH: f64 = 60.0;

/// Colours of looks of which the rules say nothing, in the order of their numbers: as far apart in hue as they can be.
const PAINTS: [&str; 8] = [
    "#d03020", "#2060d0", "#20a040", "#e0c020", "#a030b0", "#20b0b0", "#f0f0f0", "#202020",
];

/// Colours that names of kinds and players speak of.
const NAMED: [(&str, &str); 10] = [
    ("red", "#d03020"),
    ("blue", "#2060d0"),
    ("green", "#20a040"),
    ("yellow", "#e0c020"),
    ("orange", "#e08010"),
    ("purple", "#a030b0"),
    ("violet", "#a030b0"),
    ("cyan", "#20b0b0"),
    ("white", "#f0f0f0"),
    ("black", "#202020"),
];

/// The scene of a game with what stands where at its start.
pub fn scene(game: &InterpretedGame) -> Scene {
    use rulec_core::Game as _;
    scene_at(game, &game.initial())
}

/// The scene of a game with what stands where in a position.
pub fn scene_at(game: &InterpretedGame, state: &State) -> Scene {
    let ir = game.interp().game();
    let mut maker = Maker {
        ir,
        looks: Vec::new(),
    };
    let (mut pieces, mut values) = (Vec::new(), Vec::new());
    for domain in piece_domains(ir) {
        for member in 0..ir.domain(domain).len() as u32 {
            let piece = maker.piece(domain, member);
            let value = maker.state_of(domain, member).map(|var| {
                match game.interp().var(state, var, member as usize) {
                    Some(Value::Int(value)) => value,
                    Some(Value::Elem(member)) => i64::from(member),
                    _ => piece.least,
                }
            });
            values.push(value.unwrap_or(piece.least));
            pieces.push(piece);
        }
    }
    let places = places(ir);
    let mut start = vec![None; places.len()];
    for (index, placement) in ir.placements.iter().enumerate() {
        let first_place = offset(ir, &place_domains(ir), placement.places);
        let first_piece = offset(ir, &piece_domains(ir), placement.pieces);
        for place in 0..ir.domain(placement.places).len() as u32 {
            let found = game
                .interp()
                .on_place(state, PlacementId::from(index), place);
            if let Some(&piece) = found.last() {
                start[(first_place + place) as usize] = Some(first_piece + piece);
            }
        }
    }
    Scene {
        game: ir.name.clone(),
        places,
        looks: maker.looks,
        pieces,
        start,
        values,
    }
}

struct Maker<'g> {
    ir: &'g ir::Game,
    looks: Vec<Look>,
}

impl Maker<'_> {
    fn look(&self, domain: DomainId, member: u32) -> Option<&PieceLook> {
        let mut looks = self.ir.presentation.pieces.iter();
        looks.find(|look| look.domain == domain && look.member == member)
    }

    /// The variable that changes how a piece looks; only single pieces have one.
    fn state_of(&self, domain: DomainId, member: u32) -> Option<VarId> {
        let mut placements = self.ir.placements.iter();
        let single = !placements.any(|p| p.pieces == domain && p.form == PlacementForm::Anonymous);
        self.look(domain, member)?.state.filter(|_| single)
    }

    fn piece(&mut self, domain: DomainId, member: u32) -> Piece {
        let name = self.ir.domain(domain).member(member);
        let look = self.look(domain, member);
        let kind = look.map_or_else(|| name.clone(), |look| look.kind.clone());
        let states = look.map_or(0, |look| look.pictures.len());
        let var = self.state_of(domain, member).map(|var| self.ir.var(var));
        let least = var
            .and_then(|var| var.ty.int_range())
            .map_or(0, |(lo, _)| lo);
        let count = if var.is_some() { states.max(1) } else { 1 };
        let looks = (0..count).map(|nth| self.number(&kind, least + nth as i64, domain, member));
        Piece {
            looks: looks.collect(),
            property: self
                .state_of(domain, member)
                .map(|var| self.ir.var(var).name.clone()),
            name,
            least,
        }
    }

    /// The number of the look of a kind in a state. Beyond the greatest number all look alike.
    fn number(&mut self, kind: &str, state: i64, domain: DomainId, member: u32) -> LookId {
        let known = |look: &Look| look.kind == kind && look.state == state;
        if let Some(found) = self.looks.iter().position(known) {
            return found as LookId;
        }
        if self.looks.len() >= MOST_LOOKS {
            return (MOST_LOOKS - 1) as LookId;
        }
        let blobs = self.ir.presentation.blobs.iter();
        let own = blobs.filter(|blob| blob.kind == kind && i64::from(blob.state) == state);
        let blobs: Vec<Blob> = own.map(blob).collect();
        let paint = match blobs.first() {
            Some(blob) => vivid(&blob.range),
            None => self.paint(kind, state, domain, member),
        };
        self.looks.push(Look {
            kind: kind.to_owned(),
            state,
            blobs,
            paint,
        });
        (self.looks.len() - 1) as LookId
    }

    /// A colour for a look of which the rules say none.
    fn paint(&self, kind: &str, state: i64, domain: DomainId, member: u32) -> Rgb {
        let mut owners = self.ir.presentation.owners.iter();
        let owner = owners.find(|owner| owner.domain == domain && owner.member == member);
        let players = self.ir.domain(self.ir.players);
        let owner = owner.map(|owner| players.member(owner.player).to_lowercase());
        let kind = kind.to_lowercase();
        let free = |text: &&str| {
            let colour = Rgb::from_css(text);
            self.looks.iter().all(|look| Some(look.paint) != colour)
        };
        let named = |word: &str| NAMED.iter().find(|(name, _)| word.contains(name));
        let known = named(&kind).or(owner.as_deref().and_then(named));
        let known = known.map(|&(_, text)| text).filter(free);
        let next = || PAINTS.iter().copied().find(free);
        let number = self.looks.len() + usize::try_from(state).unwrap_or(0);
        let text = known.or_else(next).unwrap_or(PAINTS[number % PAINTS.len()]);
        Rgb::from_css(text).unwrap_or_default()
    }
}

fn blob(blob: &BlobRange) -> Blob {
    Blob {
        range: Range {
            hue: blob.hue,
            saturation: blob.saturation,
            value: blob.value,
        },
        size: blob.size,
    }
}

/// A colour that a camera takes for the range in any light: the middle hue, as bright and pure as the range has it.
fn vivid(range: &Range) -> Rgb {
    let most = |(min, max): (f64, f64), share: f64| (min + (max - min) * share) as f32;
    Hsv {
        hue: range.middle().hue,
        saturation: most(range.saturation, 0.6),
        value: most(range.value, 0.7).min(0.8),
    }
    .rgb()
}

/// All places, by the numbers of the interface. Those without a coordinate stand in rows below the others.
fn places(ir: &ir::Game) -> Vec<Place> {
    let looks = &ir.presentation.places;
    let known = looks.iter().filter_map(|look| look.at);
    let bottom = known.map(|at| at.1).fold(-2.0 * PITCH, f64::max);
    let (mut places, mut lost) = (Vec::new(), 0);
    for domain in place_domains(ir) {
        let count = ir.domain(domain).len() as u32;
        let columns = f64::from(count).sqrt().ceil().max(1.0) as u32;
        for member in 0..count {
            let mut all = looks.iter();
            let look = all.find(|look| look.domain == domain && look.member == member);
            let at = look.and_then(|look| look.at).unwrap_or_else(|| {
                let (column, row) = (lost % columns, lost / columns);
                lost += 1;
                let down = bottom + (f64::from(row) + 2.0) * PITCH;
                (f64::from(column) * PITCH, down)
            });
            places.push(place(ir.domain(domain).member(member), look, at));
        }
    }
    let points: Vec<(f64, f64)> = places.iter().map(|place| place.at).collect();
    for (number, place) in places.iter_mut().enumerate() {
        let others = points
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != number);
        let far = others.map(|(_, at)| (at.0 - place.at.0).hypot(at.1 - place.at.1));
        let least = far.filter(|far| *far > 0.5).fold(f64::INFINITY, f64::min);
        place.pitch = if least.is_finite() { least } else { PITCH };
    }
    places
}

fn place(name: String, look: Option<&PlaceLook>, at: (f64, f64)) -> Place {
    Place {
        name,
        kind: look.map_or_else(String::new, |look| look.kind.clone()),
        at,
        pitch: PITCH,
        camera: look.and_then(|look| look.camera),
        relevant: look.is_none_or(|look| look.relevant),
    }
}
