//! What a game sees, and what it does when arm or board are not as they should be.

use rulec_arm::Fault;
use rulec_vision::Looks;

use super::{BLIND, CLEAR, Ending, Flow, Session, TROUBLES};
use crate::journal::Record;
use crate::plan::piece_name;
use crate::{Answer, Message, Question, Reading, Sight, Tableau};

impl Session<'_, '_> {
    /// One look; nothing while a hand is in view.
    pub(super) fn look(&mut self) -> Flow<Option<Reading>> {
        self.clock.sleep(self.settings.pause);
        if self.person.quits() {
            return Err(Ending::Quit);
        }
        if self.hand.as_ref().is_some_and(|hand| hand.latch().is_set()) {
            self.trouble(Fault::EStop)?;
        }
        for blind in 1.. {
            self.looks += 1;
            if self.settings.give_up.is_some_and(|most| self.looks > most) {
                return Err(Ending::Patience);
            }
            let sight = self.eye.look();
            self.note_wire();
            self.journal.write(&Record::Look {
                sight: sight.as_ref().ok().cloned(),
                error: sight.as_ref().err().map(|fault| fault.0.clone()),
                picture: self.eye.picture(),
            });
            match sight {
                Ok(Sight::Board(reading)) => {
                    self.hands = 0;
                    return Ok(Some(reading));
                }
                Ok(Sight::Hand) => {
                    self.hands += 1;
                    if self.hands.is_multiple_of(self.settings.patience) {
                        self.say(Message::HandInView);
                    }
                    return Ok(None);
                }
                Err(fault) if blind >= BLIND => return Err(Ending::Eye(fault.to_string())),
                Err(fault) => {
                    if blind == 1 {
                        self.say(Message::EyeFault(fault.to_string()));
                    }
                    self.clock.sleep(self.settings.pause);
                }
            }
        }
        Ok(None)
    }

    /// Looks until two readings in a row say the same. What cannot be made out says nothing.
    pub(super) fn steady(&mut self) -> Flow<Reading> {
        let mut last: Option<Vec<Option<usize>>> = None;
        loop {
            match self.look()? {
                None => last = None,
                Some(reading) => {
                    let clear = |at| reading.best(at).filter(|(_, margin)| *margin >= CLEAR);
                    let places = 0..reading.fit.len();
                    let now = places.map(|at| clear(at).map(|(class, _)| class)).collect();
                    if last.as_ref() == Some(&now) {
                        return Ok(reading);
                    }
                    last = Some(now);
                }
            }
        }
    }

    /// Whether a reading shows a position at every place, with nothing beside it.
    pub(super) fn shows(&self, reading: &Reading, looks: &Looks) -> bool {
        let right = |(at, look): (usize, &Option<u8>)| {
            let own = look.map_or(0, |look| usize::from(look) + 1);
            reading
                .best(at)
                .is_none_or(|(class, margin)| class == own && margin >= CLEAR)
        };
        reading.strays == 0 && looks.iter().enumerate().all(right)
    }

    /// Waits until the board shows a position; mentions now and then what is missing.
    pub(super) fn see(&mut self, table: &Tableau) -> Flow<()> {
        let looks = self.looks_of(table);
        for count in 1_u32.. {
            let reading = self.steady()?;
            if self.shows(&reading, &looks) {
                self.looks = 0;
                return Ok(());
            }
            if count.is_multiple_of(self.settings.patience) {
                self.restore(&reading, table);
            }
        }
        Ok(())
    }

    /// What to do so that the board shows a position.
    pub(super) fn repairs(&self, reading: &Reading, table: &Tableau) -> Vec<String> {
        let looks = self.looks_of(table);
        let mut lines = Vec::new();
        for (at, look) in looks.iter().enumerate() {
            let own = look.map_or(0, |look| usize::from(look) + 1);
            let Some((class, _)) = reading.best(at).filter(|(class, _)| *class != own) else {
                continue;
            };
            let place = &self.scene.places[at].name;
            if class > 0 {
                let seen = self.scene.look_name((class - 1) as u8);
                lines.push(format!("take {seen} off {place}"));
            }
            if let Some(piece) = table.piece(at) {
                lines.push(format!("put {} on {place}", piece_name(self.scene, piece)));
            }
        }
        if reading.strays > 0 {
            lines.push("put what lies beside the board on its place".to_owned());
        }
        lines
    }

    pub(super) fn restore(&mut self, reading: &Reading, table: &Tableau) {
        let lines = self.repairs(reading, table);
        let wanted = table.standing.clone();
        self.say(Message::Restore { lines, wanted });
    }

    pub(super) fn self_test(&mut self) -> Flow<()> {
        loop {
            let reading = self.steady()?;
            let looks = self.looks_of(&self.table);
            if self.shows(&reading, &looks) {
                self.say(Message::SelfTest);
                return Ok(());
            }
            let table = self.table.clone();
            self.restore(&reading, &table);
            if self.ask(&Question::LookAgain) != Answer::Yes {
                return Err(Ending::Start);
            }
        }
    }

    pub(super) fn begin(&mut self) -> Flow<()> {
        let Some(hand) = &mut self.hand else {
            return Ok(());
        };
        match hand.start() {
            Ok(firmware) => {
                self.say(Message::Ready(firmware));
                Ok(())
            }
            Err(fault) => self.trouble(fault),
        }
    }

    /// Says what is wrong with the arm, which is held, and goes on from home if a person lets it.
    pub(super) fn trouble(&mut self, mut fault: Fault) -> Flow<()> {
        for _ in 0..TROUBLES {
            let stopped = self.hand.as_ref().is_some_and(|hand| hand.latch().is_set());
            let question = match stopped || fault == Fault::EStop {
                true => {
                    self.say(Message::EStop);
                    Question::ClearStop
                }
                false => {
                    self.say(Message::ArmFault(fault.to_string()));
                    Question::Rehome
                }
            };
            let allowed = self.ask(&question) == Answer::Yes;
            let Some(hand) = self.hand.as_mut().filter(|_| allowed) else {
                return Err(match question {
                    Question::ClearStop => Ending::EStop,
                    _ => Ending::Arm(fault),
                });
            };
            hand.latch().clear();
            match hand.start() {
                Ok(firmware) => {
                    self.say(Message::Ready(firmware));
                    return Ok(());
                }
                Err(next) => fault = next,
            }
        }
        Err(Ending::Arm(fault))
    }
}
