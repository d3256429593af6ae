//! The macro called in a wrong way.

rulec_runtime::game!();
rulec_runtime::game!(frogs);
rulec_runtime::game!("no_such_file.s3");
rulec_runtime::game!("call.rs");
rulec_runtime::game! { mod a = go r#"[BOARD]"# }
rulec_runtime::game! { mod = "a.s3" }
rulec_runtime::game! { s3 "[NOWHERE]" "more" }

fn main() {}
