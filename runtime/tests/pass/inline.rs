//! Rules in place, in a module of the default name and in a named one.

use rulec_runtime::{Game, Turn};

rulec_runtime::game! { s3 r#"
[ELEMENT TYPES]
name=stone
states=2

[LOCATION TYPES]
name=field
point=0,0

[LOCATIONS]
name=f(1)
type=field
point=10,10

name=f(2)
type=field
point=20,10

[PLAYER NAMES]
1=solo

[MOVABLE ELEMENTS]
name=s(1)
type=stone
location=f(1)

[EXPRESSIONS]
Near($A,$B)
  $A == ($B + 1)
END

[END OF GAME]
situation=EMPTY("f(1)")
winner=1

[GAME RULES]
name=step
element=s($I)
from=f($K)
to=f($L)
condition=Near($L,$K)
"# }

rulec_runtime::game! { mod named = s3 r#"
[ELEMENT TYPES]
name=stone
states=2

[LOCATION TYPES]
name=field
point=0,0

[LOCATIONS]
name=f(1)
type=field
point=10,10

name=f(2)
type=field
point=20,10

[PLAYER NAMES]
1=one
2=two

[MOVABLE ELEMENTS]
name=s(1)
type=stone
location=f(1)

[EXPRESSIONS]
Near($A,$B)
  $A == ($B + 1)
END

[END OF GAME]
situation=EMPTY("f(1)")
winner=1

[GAME RULES]
name=step
element=s($I)
from=f($K)
to=f($L)
condition=Near($L,$K)
"# }

fn main() {
    let state = game::Game.initial();
    assert_eq!(game::Game.turn(&state), Turn::Decide(1));
    assert_eq!(named::Game.info().players, ["one", "two"]);
}
