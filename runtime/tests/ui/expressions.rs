//! Rules with mistakes: expressions.

rulec_runtime::game! { mod case_1 = s3 r#"
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

rulec_runtime::game! { mod case_2 = s3 r#"
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
Near(A,B)
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

rulec_runtime::game! { mod case_3 = s3 r#"
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

rulec_runtime::game! { mod case_4 = s3 r#"
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
  $A == 99999999999
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

rulec_runtime::game! { mod case_5 = s3 r#"
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
  $A == 3a
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

fn main() {}
