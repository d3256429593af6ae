//! Small changes of our games, each of which tells two places apart that a symmetry takes to each other without it.

/// A change of a rule file.
pub(crate) struct Variant {
    /// The file, in the folder of our games.
    pub(crate) file: &'static str,
    /// What is changed, where it first occurs.
    pub(crate) from: &'static str,
    /// What it becomes.
    pub(crate) to: &'static str,
    /// Places of which no symmetry takes the first to the second any more.
    pub(crate) apart: [&'static str; 2],
}

const TIC_TAC_TOE: &str = "s3/tic_tac_toe.s3";
pub(crate) const REVERSI: &str = "s3/reversi.s3";
pub(crate) const MORRIS: &str = "s3/nine_mens_morris.s3";
const BREAKTHROUGH: &str = "bgc/breakthrough.json";
/// The end of the first rule of tic-tac-toe.
const CROSS: &str = "to=b($C,$R)\nfollowup=NEXTPLAYER\n\nname=placeNought";

/// A change of tic-tac-toe.
const fn ttt(from: &'static str, to: &'static str, apart: [&'static str; 2]) -> Variant {
    Variant {
        file: TIC_TAC_TOE,
        from,
        to,
        apart,
    }
}

/// Another condition for crosses.
macro_rules! crosses {
    ($condition:literal, $a:literal, $b:literal) => {
        ttt(
            CROSS,
            concat!(
                "to=b($C,$R)\ncondition=",
                $condition,
                "\nfollowup=NEXTPLAYER\n\nname=placeNought"
            ),
            [$a, $b],
        )
    };
}

/// A change of breakthrough.
const fn through(from: &'static str, to: &'static str, apart: [&'static str; 2]) -> Variant {
    Variant {
        file: BREAKTHROUGH,
        from,
        to,
        apart,
    }
}

/// A change of English draughts.
const fn draughts(from: &'static str, to: &'static str, apart: [&'static str; 2]) -> Variant {
    Variant {
        file: "bgc/english_draughts.json",
        from,
        to,
        apart,
    }
}

/// A change of dots and boxes.
const fn boxes(from: &'static str, to: &'static str, apart: [&'static str; 2]) -> Variant {
    Variant {
        file: "s3/dots_and_boxes.s3",
        from,
        to,
        apart,
    }
}

/// A change of tic-tac-toe in the Board Game Model.
const fn crosses_and_noughts(
    from: &'static str,
    to: &'static str,
    apart: [&'static str; 2],
) -> Variant {
    Variant {
        file: "bgm/tic_tac_toe.bgm",
        from,
        to,
        apart,
    }
}

/// A change of connect four.
const fn four(from: &'static str, to: &'static str, apart: [&'static str; 2]) -> Variant {
    Variant {
        file: "s3/connect_four.s3",
        from,
        to,
        apart,
    }
}

/// A change of gomoku.
const fn five(from: &'static str, to: &'static str, apart: [&'static str; 2]) -> Variant {
    Variant {
        file: "s3/gomoku.s3",
        from,
        to,
        apart,
    }
}

/// A change of reversi.
const fn turning(from: &'static str, to: &'static str, apart: [&'static str; 2]) -> Variant {
    Variant {
        file: REVERSI,
        from,
        to,
        apart,
    }
}

/// A change of nine men's morris.
const fn mill(from: &'static str, to: &'static str, apart: [&'static str; 2]) -> Variant {
    Variant {
        file: MORRIS,
        from,
        to,
        apart,
    }
}

/// The changes.
pub(crate) const VARIANTS: &[Variant] = &[
    crosses!("$C > 1", "b(1,2)", "b(3,2)"),
    crosses!("$R > 1", "b(2,1)", "b(2,3)"),
    crosses!("($C + $R) > 2", "b(1,1)", "b(3,3)"),
    crosses!("NOT ($C == 2)", "b(2,1)", "b(1,2)"),
    crosses!("$C <= $R", "b(1,3)", "b(3,1)"),
    crosses!("($C == $R) OR (NOT EMPTY(\"b(2,2)\"))", "b(1,1)", "b(3,1)"),
    crosses!("(NOT EMPTY(\"b(2,2)\")) OR ($C == 2)", "b(2,1)", "b(1,2)"),
    crosses!("EMPTY(\"b(1,1)\")", "b(1,1)", "b(3,3)"),
    crosses!("EMPTY(\"b(1,2)\")", "b(1,2)", "b(2,1)"),
    crosses!(
        "(NOT EMPTY(\"b(1,1)\")) OR (NOT ($C == 3))",
        "b(1,1)",
        "b(3,3)"
    ),
    ttt("Marked($C, $I))", "Marked($C, 1))", ["b(1,1)", "b(1,3)"]),
    ttt(
        "FORALL($I, 1, 3, Marked($C, $I))",
        "FORALL($I, 1, 2, Marked($C, $I))",
        ["b(1,1)", "b(1,3)"],
    ),
    ttt(
        "FORALL($I, 1, 3, Marked($I, $R))",
        "FORALL($I, 2, 3, Marked($I, $R))",
        ["b(1,1)", "b(3,1)"],
    ),
    ttt("(FullRow OR", "(FullColumn OR", ["b(1,2)", "b(2,1)"]),
    ttt(
        "(FullDiagonal OR FullAntidiagonal)",
        "(FullDiagonal OR FullDiagonal)",
        ["b(1,1)", "b(3,1)"],
    ),
    ttt("($C + $R) == 4", "($C + $R) == 3", ["b(1,1)", "b(3,1)"]),
    ttt("  $C == $R\n", "  $C == 1\n", ["b(1,1)", "b(3,3)"]),
    ttt(
        "Marked($I, 4 - $I)",
        "Marked($I, 3 - $I)",
        ["b(1,1)", "b(3,1)"],
    ),
    ttt("Marked($I, $I))", "Marked($I, 2))", ["b(1,2)", "b(2,1)"]),
    ttt(
        "FORALL($X, 1, 3, FORALL(",
        "FORALL($X, 1, 2, FORALL(",
        ["b(1,1)", "b(3,1)"],
    ),
    ttt(
        "FORALL($Y, 1, 3, NOT EMPTY",
        "FORALL($Y, 2, 3, NOT EMPTY",
        ["b(1,1)", "b(1,3)"],
    ),
    ttt(
        "winner=0",
        "winner=IF(ELTYPE(CONTENT(\"b(1,1)\")) == \"cross\", 1, 0)",
        ["b(1,1)", "b(3,3)"],
    ),
    ttt(
        "winner=3 - PLAYER",
        "winner=IF(EMPTY(\"b(2,1)\"), 3 - PLAYER, PLAYER)",
        ["b(2,1)", "b(1,2)"],
    ),
    ttt(
        "followup=NEXTPLAYER\n\nname=placeNought",
        "followup=IF($C == 1, true, NEXTPLAYER)\n\nname=placeNought",
        ["b(1,1)", "b(3,1)"],
    ),
    ttt(
        "followup=NEXTPLAYER\n\nname=placeNought",
        "followup=IF($R == 2, true, NEXTPLAYER)\n\nname=placeNought",
        ["b(1,2)", "b(2,1)"],
    ),
    through(
        r#""coordinates": {"y": 7}"#,
        r#""coordinates": {"y": 7, "x": 0}"#,
        ["0,7", "7,7"],
    ),
    through(
        r#""coordinates": {"y": 0}"#,
        r#""coordinates": {"y": 0, "x": 3}"#,
        ["3,0", "4,0"],
    ),
    through(
        "\"x\": -1,\n          \"y\": 1,",
        "\"x\": -2,\n          \"y\": 1,",
        ["1,0", "6,0"],
    ),
    through(
        "\"x\": 1,\n          \"y\": 1,",
        "\"x\": 2,\n          \"y\": 1,",
        ["1,0", "6,0"],
    ),
    through(
        "\"x\": -1,\n          \"y\": -1,",
        "\"x\": -2,\n          \"y\": -1,",
        ["1,0", "6,0"],
    ),
    through(
        "\"x\": 1,\n          \"y\": -1,",
        "\"x\": 2,\n          \"y\": -1,",
        ["1,0", "6,0"],
    ),
    through(
        "{\"x\": 6, \"y\": 3}, {\"x\": 7, \"y\": 3}, ",
        "{\"x\": 6, \"y\": 3}, ",
        ["0,4", "7,4"],
    ),
    // What happens to one who cannot move, and who is asked whether he can.
    through(
        r#"{"state": "black_move", "if": [{"result": true}]}, {"state": "white_won","#,
        r#"{"state": "black_move", "if": [{"result": true}]}, {"state": "black_won","#,
        ["white", "black"],
    ),
    through(
        r#"{"state": "can_white_move", "if""#,
        r#"{"state": "white_move", "if""#,
        ["white", "black"],
    ),
    // Where one of both wins, and who does.
    through(
        r#""player": "black", "coordinates": {"y": 0}"#,
        r#""player": "black", "coordinates": {"y": 1}"#,
        ["white", "black"],
    ),
    through(
        r#""black_won": {"type": "end", "parameters": {"winner": "black"}}"#,
        r#""black_won": {"type": "end", "parameters": {"winner": "white"}}"#,
        ["white", "black"],
    ),
    // How the men of one player move.
    through(
        "\"y\": -1,\n          \"if\": [{\"self\": {\"player\": \"black\"}}],\n          \"cell_actions\": {\"destination\": [{\"actions\": [\"move\"], \"if\": [{\"computed\": {\"is_empty\": true}}]}]}",
        "\"y\": -1,\n          \"if\": [{\"self\": {\"player\": \"black\"}}],\n          \"cell_actions\": {\"destination\": [{\"actions\": [\"move\"]}]}",
        ["white", "black"],
    ),
    // One who begins without a move is asked nothing.
    through(
        "\"y\": 1,\n          \"if\": [{\"self\": {\"player\": \"white\"}}]",
        "\"y\": 9,\n          \"if\": [{\"self\": {\"player\": \"white\"}}]",
        ["white", "black"],
    ),
    // Where one player's men are crowned, and how they go and take.
    draughts(
        r#"{"self": {"player": "white"}, "target": {"coordinates": {"y": 0}}}"#,
        r#"{"self": {"player": "white"}, "target": {"coordinates": {"y": 1}}}"#,
        ["white", "black"],
    ),
    draughts(
        r#"{"x": 1, "y": 1, "if": [{"self": {"player": "black"}}]}"#,
        r#"{"x": 1, "y": 2, "if": [{"self": {"player": "black"}}]}"#,
        ["white", "black"],
    ),
    draughts("\"priority\": 1", "\"priority\": 2", ["white", "black"]),
    draughts(
        r#"{"target": {"coordinates": {"y": 6}}}"#,
        r#"{"target": {"coordinates": {"y": 5}}}"#,
        ["white", "black"],
    ),
    // What happens to one who cannot move.
    draughts(
        r#"{"state": "black_won", "if": [{"result": false}]}"#,
        r#"{"state": "white_won", "if": [{"result": false}]}"#,
        ["white", "black"],
    ),
    // One cell where one player wins.
    Variant {
        file: "bgc/hexguard.json",
        from: r#""player": "slate", "coordinates": {"q": 0, "r": 0}"#,
        to: r#""player": "slate", "coordinates": {"q": 1, "r": 0}"#,
        apart: ["amber", "slate"],
    },
    // A cell in the middle of an edge where one player wins too.
    Variant {
        file: "bgc/three_camps.json",
        from: r#""player": "red", "coordinates": {"q": 0, "r": 0}"#,
        to: r#""player": "red", "coordinates": {"q": 1, "r": 1}"#,
        apart: ["1,1", "-1,2"],
    },
    four(
        "condition=Supported",
        "condition=Supported AND ($C > 1)",
        ["b(1,1)", "b(7,1)"],
    ),
    four(
        "FORALL($X, 1, 7, NOT EMPTY",
        "FORALL($X, 1, 6, NOT EMPTY",
        ["b(1,6)", "b(7,6)"],
    ),
    four(
        "FourAlong(1, 1) OR FourAlong(1, -1)",
        "FourAlong(1, 1) OR FourAlong(1, 1)",
        ["b(1,1)", "b(7,1)"],
    ),
    four(
        "FORSOME($FIRST, -3, 0,",
        "FORSOME($FIRST, -3, -1,",
        ["b(1,1)", "b(7,1)"],
    ),
    five(
        "FORSOME($FIRST, -4, 0,",
        "FORSOME($FIRST, -4, -1,",
        ["b(1,1)", "b(15,15)"],
    ),
    five(
        "NOT Same($FIRST + 5)",
        "NOT Same($FIRST + 6)",
        ["b(1,1)", "b(15,15)"],
    ),
    five(
        "FiveAlong(1, 1) OR FiveAlong(1, -1)",
        "FiveAlong(1, 1) OR FiveAlong(1, 1)",
        ["b(1,1)", "b(15,1)"],
    ),
    five(
        "FORALL($Y, 1, 15, NOT EMPTY",
        "FORALL($Y, 1, 14, NOT EMPTY",
        ["b(1,1)", "b(1,15)"],
    ),
    four(
        "condition=Supported",
        "condition=Supported AND (NOT ($C == 4))",
        ["red", "yellow"],
    ),
    four("winner=3 - PLAYER", "winner=1", ["red", "yellow"]),
    four(
        "situation=BoardFull\nwinner=0",
        "situation=BoardFull\nwinner=2",
        ["red", "yellow"],
    ),
    // One place.
    turning(
        "EMPTY(\"b($X,$Y)\")\n",
        "EMPTY(\"b($X,$Y)\")\n  ($X > 1) OR ($Y != 2)\n",
        ["b(1,2)", "b(2,1)"],
    ),
    // One direction of those in which a disc encloses, in a guard.
    turning(
        "FORSOME($DY, -1, 1, Encloses)",
        "FORSOME($DY, -1, 1, (($DX < 1) OR ($DY != 0)) AND Encloses)",
        ["b(1,1)", "b(8,1)"],
    ),
    // The directions in which discs are turned.
    turning(
        "FORALL($DX, -1, 1, FORALL(",
        "FORALL($DX, -1, 0, FORALL(",
        ["b(1,1)", "b(8,1)"],
    ),
    // One player's rule.
    turning(
        "condition=MayPlace(PLAYER)",
        "condition=((PLAYER == 1) OR ($Y > 1)) AND MayPlace(PLAYER)",
        ["b(1,1)", "b(1,8)"],
    ),
    // When the game is over.
    turning(
        "NOT CanPlace(3 - PLAYER)\nEND",
        "(NOT CanPlace(3 - PLAYER)) OR (NOT EMPTY(\"b(1,1)\"))\nEND",
        ["b(1,1)", "b(8,8)"],
    ),
    // One point.
    mill(
        "STATE(\"phase\") == 1\n  $COLOUR == PLAYER\n  $BEFORE",
        "STATE(\"phase\") == 1\n  ($TORING > 1) OR ($TOPOINT > 1)\n  $COLOUR == PLAYER\n  $BEFORE",
        ["p(1,1)", "p(1,3)"],
    ),
    // One mill.
    mill(
        "SideAfter\n  HasAt(1)\n",
        "SideAfter\n  ($P != 1) OR ($Q != 1)\n  HasAt(1)\n",
        ["p(1,1)", "p(3,1)"],
    ),
    // The lines across without the inner ring.
    mill("FORALL($K, 1, 3,", "FORALL($K, 1, 2,", ["p(1,2)", "p(3,2)"]),
    // One way across.
    mill(
        "$POINT == $TOPOINT\n",
        "$POINT == $TOPOINT\n  ($POINT != 2) OR ($RING != 1)\n",
        ["p(1,2)", "p(1,4)"],
    ),
    // One way along each ring.
    mill("IN {1, 7}", "IN {1}", ["p(1,1)", "p(1,3)"]),
    // One player's rule: who may fly.
    mill(
        "(SCORE(PLAYER) == 3) OR Joined",
        "((SCORE(PLAYER) == 3) AND (PLAYER == 1)) OR Joined",
        ["white", "black"],
    ),
    // One side's rule: how many discs it has to enclose, what it scores, what it takes for a disc, who wins if both have as many,
    // and who may pass.
    turning(
        "  ClosedOff\nEND",
        "  $P = ($U + $DX)\n  $Q = ($V + $DY)\n  IF($ME == 2, STATE(CONTENT(\"b($P,$Q)\")) == 1, true)\n  ClosedOff\nEND",
        ["white", "black"],
    ),
    turning(
        "score=$TURNED + 1",
        "score=IF(PLAYER == 2, $TURNED + 2, $TURNED + 1)",
        ["white", "black"],
    ),
    turning(
        "IF($DISC == (3 - $ME), ClosedOff, $DISC == $ME)",
        "IF($DISC == (3 - $ME), ClosedOff, ($DISC < $ME) OR ($DISC == $ME))",
        ["white", "black"],
    ),
    turning(
        "IF(SCORE(1) > SCORE(2), 1",
        "IF(SCORE(1) >= SCORE(2), 1",
        ["white", "black"],
    ),
    turning(
        "  NOT CanPlace(PLAYER)\n  CanPlace(3 - PLAYER)",
        "  NOT CanPlace(PLAYER)\n  PLAYER == 1\n  CanPlace(3 - PLAYER)",
        ["white", "black"],
    ),
    turning(
        "SETSTATE(CONTENT(\"b($U,$V)\"), $ME)",
        "SETSTATE(CONTENT(\"b($U,$V)\"), 1)",
        ["white", "black"],
    ),
    // Dots and boxes: who wins, and one who does not keep the turn.
    boxes(
        "winner=IF(SCORE(1) > SCORE(2), 1, 2)",
        "winner=IF(SCORE(1) > 3, 1, 2)",
        ["first", "second"],
    ),
    boxes(
        "IF($CLOSED == 0, NEXTPLAYER",
        "IF(($CLOSED == 0) OR (PLAYER == 1), NEXTPLAYER",
        ["first", "second"],
    ),
    // One of three who may not pass, and a step of a puzzle that is missing.
    Variant {
        file: "bgc/three_camps.json",
        from: "{\"player\": \"blue\", \"pass\": \"if_stuck\"}",
        to: "{\"player\": \"blue\"}",
        apart: ["red", "blue"],
    },
    Variant {
        file: "s3/eight_puzzle.s3",
        from: "($DISTANCE == 3)",
        to: "(($DISTANCE == 3) AND ($K > 1))",
        apart: ["s(2)", "s(4)"],
    },
    // One row that wins instead, and one that is a draw: ends that come to the same have no order, others do.
    crosses_and_noughts("LoseCondition", "WinCondition", ["n", "w"]),
    crosses_and_noughts(
        "LoseCondition\n    require contains ne Nought\n    require contains e Nought",
        "DrawCondition\n    require contains ne Nought\n    require contains e Nought",
        ["e", "n"],
    ),
    // Where one player's men are crowned, on which of the squares.
    Variant {
        file: "bgc/international_draughts.json",
        from: r#"{"self": {"player": "black"}, "target": {"coordinates": {"y": 0}}}"#,
        to: r#"{"self": {"player": "black"}, "target": {"coordinates": {"y": 2}}}"#,
        apart: ["white", "black"],
    },
    Variant {
        file: "bgc/international_draughts.json",
        from: r#"{"self": {"player": "white"}, "target": {"coordinates": {"y": 9}}}"#,
        to: r#"{"self": {"player": "white"}, "target": {"coordinates": {"x": 9, "y": 9}}}"#,
        apart: ["white", "black"],
    },
    // One runner who must not step from one stone, and one who must not wait.
    Variant {
        file: "bgm/ring_race.bgm",
        from: "    require not in x s7\n",
        to: "    require not in x s7\n    require not in r s4\n",
        apart: ["red", "blue"],
    },
    Variant {
        file: "bgm/ring_race.bgm",
        from: "Action Wait Runner x\n",
        to: "Action Wait Runner x\n    require owns b\n",
        apart: ["red", "blue"],
    },
    // One side's guards that do not change places with the crown.
    Variant {
        file: "bgc/hexguard.json",
        from: r#"{"target": {"figure": "crown"}, "computed": {"is_own": true}}"#,
        to: r#"{"self": {"player": "amber"}, "target": {"figure": "crown"}, "computed": {"is_own": true}}"#,
        apart: ["amber", "slate"],
    },
    // A heap that is asked about, and a player who always comes next.
    Variant {
        file: "bgm/nim.bgm",
        from: "Action Take1 Row r\n",
        to: "Action Take1 Row r\n    require contains middle Match\n",
        apart: ["top", "middle"],
    },
    Variant {
        file: "bgm/nim.bgm",
        from: "    effect remove Match r 3\n    effect players player.left\n",
        to: "    effect remove Match r 3\n    effect players first\n",
        apart: ["first", "second"],
    },
    // One square where a nought may be.
    crosses_and_noughts(
        "effect put Cross at\n",
        "require not contains nw Nought\n    effect put Cross at\n",
        ["nw", "se"],
    ),
];
