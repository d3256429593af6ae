//! What a host needs to run a game in episodes: boards in, what targets accept out.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Generator;
use super::code::number;
use crate::ir::{BoardSource, Episode, KindInfo, Selection, Type};

/// The parts of the implementation that only a game in episodes has.
#[derive(Default)]
pub(super) struct EpisodeItems {
    /// Items beside the implementation of the contract.
    pub(super) items: TokenStream,
    /// Methods of it.
    pub(super) methods: TokenStream,
    /// What the description of the game says.
    pub(super) info: TokenStream,
}

impl Generator<'_> {
    pub(super) fn episode_items(&self) -> EpisodeItems {
        let Some(episode) = &self.game.episode else {
            return EpisodeItems {
                info: quote!(None),
                ..EpisodeItems::default()
            };
        };
        let info = self.episode_info(episode);
        let start = self.start_given(episode);
        EpisodeItems {
            items: quote!(#info #start),
            methods: self.episode_methods(episode),
            info: quote!(Some(&EPISODE)),
        }
    }

    /// Units, places and targets: how many there are.
    fn episode_sizes(&self, episode: &Episode) -> (usize, usize, usize) {
        let game = self.game;
        let units = game.var(episode.kinds).init.len();
        let places = match episode.places.map(|places| &game.var(places).ty) {
            Some(Type::Elem(domain)) => game.domain(*domain).len(),
            _ => units,
        };
        (units, places, game.var(episode.accepted).init.len())
    }

    /// The start on a board that a host gives.
    fn start_given(&self, episode: &Episode) -> TokenStream {
        let rt = &self.rt;
        let (units, places, _) = self.episode_sizes(episode);
        let mask = match units {
            64 => u64::MAX,
            n => (1 << n) - 1,
        };
        let mask = Literal::u64_unsuffixed(mask);
        let present = &self.var_fields[episode.present.index()];
        let kinds = &self.var_fields[episode.kinds.index()];
        let kind = self.stored_type(&self.game.var(episode.kinds).ty);
        let count = number(episode.looks.len());
        let cells = episode.places.map(|id| {
            let (field, ty) = (
                &self.var_fields[id.index()],
                self.stored_type(&self.game.var(id).ty),
            );
            let count = number(places);
            let clear = quote!(s.#field.fill(0););
            let set = quote! {
                let place = board.places[unit];
                if usize::from(place) >= #count {
                    return None;
                }
                s.#field[unit] = place as #ty;
            };
            (clear, set)
        });
        let (clear, set) = cells.unwrap_or_default();
        let new_cx = self.new_cx();
        let otherwise = self.run_otherwise(&quote!(&mut s), &quote!(&mut #rt::Silent));
        quote! {
            /// The start position on a board that a host gives.
            #[inline]
            fn start_given(board: &#rt::Board) -> Option<State> {
                if board.present & !#mask != 0 {
                    return None;
                }
                let mut s = State::new();
                s.#present = #rt::BitSet([board.present]);
                s.#kinds.fill(0);
                #clear
                let mut units = board.present;
                while units != 0 {
                    let unit = (units.trailing_zeros() & 63) as usize;
                    units &= units - 1;
                    let kind = board.kinds[unit];
                    if usize::from(kind) >= #count {
                        return None;
                    }
                    s.#kinds[unit] = kind as #kind;
                    #set
                }
                let given = s.clone();
                let cx = #new_cx;
                let flow = run_start(&mut s, &mut #rt::Silent, cx);
                s.finish(flow, cx);
                #otherwise
                match cx.fault() {
                    Some(fault) => {
                        s = given;
                        s.fail(fault);
                        s.ended = State::AT_START;
                    }
                    None => settle(&mut s),
                }
                Some(s)
            }
        }
    }

    fn episode_methods(&self, episode: &Episode) -> TokenStream {
        let rt = &self.rt;
        let (units, _, targets) = self.episode_sizes(episode);
        let (units, targets) = (number(units), number(targets));
        let accepted = self.var_path(episode.accepted);
        let family = &self.family_names[episode.family.index()];
        let row = self.var_path(episode.row);
        let row_left = self.var_path(episode.row_left);
        let atoms_left = self.var_path(episode.atoms_left);
        let atoms = number(self.game.var(episode.atoms_left).init.len());
        quote! {
            #[inline]
            fn start(&self, board: &#rt::Board) -> Option<State> {
                start_given(board)
            }

            #[inline]
            fn accepted(&self, s: &State, target: usize) -> u64 {
                #accepted.get(target).map_or(0, |units| units.0[0])
            }

            #[inline]
            fn attempt(&self, target: usize, unit: usize) -> Option<Move> {
                (target < #targets && unit < #units).then(|| Move::#family(target as _, unit as _))
            }

            fn counters(&self, s: &State, out: &mut Vec<i64>) {
                out.push(i64::from(#row));
                out.push(i64::from(#row_left));
                out.extend(#atoms_left.iter().take(#atoms).map(|&left| i64::from(left)));
            }
        }
    }

    fn episode_info(&self, episode: &Episode) -> TokenStream {
        let rt = &self.rt;
        let (units, places, targets) = self.episode_sizes(episode);
        let (units, places, targets) = (number(units), number(places), number(targets));
        let columns = number(episode.columns as usize);
        let crowded = episode.places.is_some();
        let kinds = episode.looks.iter().map(|kind| self.kind_info(kind));
        let atoms = episode.atoms.iter().map(|&n| number(n as usize));
        let features = episode
            .features
            .iter()
            .map(|(name, values)| quote!((#name, &[#(#values),*])));
        let boards = self.board_source(&episode.boards);
        let parameters = episode.parameters.iter();
        let parameters = parameters.map(|(name, value)| quote!((#name, #value)));
        let selection = match &episode.selection {
            Some(selection) => self.selection(selection),
            None => quote!(None),
        };
        quote! {
            /// What a host knows of the episodes.
            static EPISODE: #rt::EpisodeInfo = #rt::EpisodeInfo {
                targets: #targets,
                units: #units,
                places: #places,
                columns: #columns,
                crowded: #crowded,
                kinds: &[#(#kinds),*],
                atoms: &[#(#atoms),*],
                features: &[#(#features),*],
                boards: #boards,
                selection: #selection,
                parameters: &[#(#parameters),*],
            };
        }
    }

    fn kind_info(&self, kind: &KindInfo) -> TokenStream {
        let rt = &self.rt;
        let (name, pictured) = (&kind.name, kind.pictured);
        let properties = kind
            .properties
            .iter()
            .map(|(key, value)| quote!((#key, #value)));
        quote!(#rt::episode::PieceKind { name: #name, pictured: #pictured, properties: &[#(#properties),*] })
    }

    fn board_source(&self, source: &BoardSource) -> TokenStream {
        let rt = &self.rt;
        let literal = |n: u32| Literal::u32_unsuffixed(n);
        let pair = |(a, b): (u32, u32)| {
            let (a, b) = (literal(a), literal(b));
            quote!((#a, #b))
        };
        let list = |kinds: &[u32]| {
            let kinds = kinds.iter().map(|&kind| literal(kind));
            quote!(&[#(#kinds),*])
        };
        match source {
            BoardSource::Pairs {
                pieces,
                first,
                second,
                kinds,
                seconds,
            } => {
                let (pieces, first, second) = (pair(*pieces), pair(*first), pair(*second));
                let (kinds, seconds) = (list(kinds), literal(*seconds));
                quote!(#rt::episode::BoardSource::Pairs {
                    pieces: #pieces,
                    first: #first,
                    second: #second,
                    kinds: #kinds,
                    seconds: #seconds,
                })
            }
            BoardSource::Kinds { pieces, kinds } => {
                let (pieces, kinds) = (pair(*pieces), list(kinds));
                quote!(#rt::episode::BoardSource::Kinds { pieces: #pieces, kinds: #kinds })
            }
            BoardSource::Families { pieces, families } => {
                let pieces = pair(*pieces);
                let families = families.iter().map(|family| {
                    let (draws, kinds) = (list(&family.draws), list(&family.kinds));
                    quote!(#rt::episode::KindFamily { draws: #draws, kinds: #kinds })
                });
                quote!(#rt::episode::BoardSource::Families { pieces: #pieces, families: &[#(#families),*] })
            }
            BoardSource::Fixed {
                boards,
                shuffled,
                drawn,
            } => {
                let boards = boards.iter().map(|board| {
                    let pieces = board.iter().map(|piece| {
                        let id = Literal::i32_unsuffixed(piece.id);
                        let (kind, place) = (literal(piece.kind), literal(piece.place));
                        quote!(#rt::episode::FixedPiece { id: #id, kind: #kind, place: #place })
                    });
                    quote!(&[#(#pieces),*])
                });
                quote!(#rt::episode::BoardSource::Fixed {
                    boards: &[#(#boards),*],
                    shuffled: #shuffled,
                    drawn: #drawn,
                })
            }
        }
    }

    fn selection(&self, selection: &Selection) -> TokenStream {
        let rt = &self.rt;
        let rows = selection.rows.iter().map(|kinds| {
            let kinds = kinds.iter().map(|&places| Literal::u64_unsuffixed(places));
            quote!(&[#(#kinds),*])
        });
        let only = match selection.only_places {
            Some(places) => {
                let places = Literal::u64_unsuffixed(places);
                quote!(Some(#places))
            }
            None => quote!(None),
        };
        let testing = selection.testing;
        quote!(Some(#rt::episode::Selection { rows: &[#(#rows),*], only_places: #only, testing: #testing }))
    }
}
