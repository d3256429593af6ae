//! What the macro says about mistakes, and that it accepts what it should.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/pass/*.rs");
    cases.compile_fail("tests/ui/*.rs");
}
