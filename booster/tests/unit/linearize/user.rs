//! Users' catalogues: read, checked, used.

use xaif_schema::diag::{Code, Diagnostics};
use xaif_schema::xml::catalogue::read_catalogue;

use super::derivative_by;
use booster_rules::Catalogue;

const EXAMPLE: &str = include_str!("../../../rules/src/example.xaif");

fn with(text: &str) -> Result<(Catalogue, Diagnostics), Diagnostics> {
    let user = read_catalogue(text.as_bytes(), "own.xaif")?;
    let mut catalogue = Catalogue::standard();
    let warnings = catalogue.add_user(&user)?;
    Ok((catalogue, warnings))
}

/// An inlinable catalogue of one function.
fn inlinable(head: &str, partials: &str) -> String {
    format!(
        "<ii:InlinableIntrinsicDefinitions language=\"F95\" \
         xmlns:ii=\"http://www.mcs.anl.gov/XAIFInlinableIntrinsics\" \
         xmlns:xaif=\"http://www.mcs.anl.gov/XAIF\">\n\
         <ii:InlinableIntrinsic {head}>\n<ii:Function/>\n{partials}\n\
         </ii:InlinableIntrinsic></ii:InlinableIntrinsicDefinitions>"
    )
}

fn non_inlinable(content: &str) -> String {
    format!(
        "<n:NonInlinableIntrinsicDefinitions \
         xmlns:n=\"http://www.mcs.anl.gov/XAIFNonInlinableIntrinsics\">{content}\
         </n:NonInlinableIntrinsicDefinitions>"
    )
}

#[test]
fn entries_override_built_in_rules_by_name() {
    let (catalogue, warnings) = with(EXAMPLE).expect("the example is right");
    assert!(warnings.is_empty());
    assert_eq!(derivative_by(&catalogue, "v = tanh(u)"), "vd = ud/cosh(u)**2");
    assert_eq!(derivative_by(&catalogue, "y = sqrt(x)"), "yd = 0.5*xd/sqrt(x)");
    assert_eq!(derivative_by(&catalogue, "v = cosh(u)"), "vd = sinh(u)*ud");
}

#[test]
fn a_rule_for_real_numbers_leaves_the_rule_for_complex_ones() {
    let text = inlinable(
        "name=\"abs_scal\" nr_arguments=\"1\"",
        "<ii:Partial partial_id=\"1\" partial_type=\"linear_one\"/>",
    );
    let (catalogue, _) = with(&text).expect("a catalogue");
    assert_eq!(derivative_by(&catalogue, "v = abs(u)"), "vd = ud");
    assert!(derivative_by(&catalogue, "v = abs(c)").contains("aimag"));
}

#[test]
fn an_entry_holds_for_its_number_of_arguments() {
    let text = inlinable(
        "name=\"arctan_scal\" nr_arguments=\"1\"",
        "<ii:Partial partial_id=\"1\" partial_type=\"linear_minus_one\"/>",
    );
    let (catalogue, _) = with(&text).expect("a catalogue");
    assert_eq!(derivative_by(&catalogue, "v = atan(u)"), "vd = -ud");
    assert_eq!(derivative_by(&catalogue, "v = atan(u, w)"), "vd = (w*ud - u*wd)/(w**2 + u**2)");
}

#[test]
fn no_entry_takes_a_derivative_away_in_silence() {
    for (name, arguments, assignment, expected) in [
        ("nc_max_scal_scal", 2, "v = max(u, w)", "vd = merge(ud, wd, u >= w)"),
        ("sum_arr", 1, "v = sum(a)", "vd = sum(ad)"),
        ("sin_scal", 1, "v = sin(u)", "vd = cos(u)*ud"),
        ("complex_scal", 2, "c = cmplx(u, v, 8)", "cd = cmplx(ud, vd, 8)"),
    ] {
        let partials: String = (1..=arguments)
            .map(|n| format!("<ii:Partial partial_id=\"{n}\" partial_type=\"passive\"/>"))
            .collect();
        let text = inlinable(&format!("name=\"{name}\" nr_arguments=\"{arguments}\""), &partials);
        let (catalogue, warnings) = with(&text).expect("a catalogue");
        let codes: Vec<Code> = warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, [Code::CATALOGUE_KEPT], "{name}");
        assert_eq!(derivative_by(&catalogue, assignment), expected);
    }
}

#[test]
fn direct_actions_are_the_function_of_the_derivative() {
    let text =
        non_inlinable("<n:DirectAction name=\"transpose_arr\" derivAction=\"transpose_arr\"/>");
    let (catalogue, _) = with(&text).expect("a catalogue");
    assert_eq!(derivative_by(&catalogue, "s = transpose(t)"), "sd = transpose(td)");
}

#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    let one = |partial: &str| inlinable("name=\"sin_scal\" nr_arguments=\"1\"", partial);
    let of = |nodes: &str| one(&format!("<ii:Partial partial_id=\"1\">{nodes}</ii:Partial>"));
    let edge = |source: u8, target: u8| {
        format!("<xaif:ExpressionEdge source=\"{source}\" target=\"{target}\" position=\"1\"/>")
    };
    let call = |id: u8, name: &str| format!("<xaif:Intrinsic vertex_id=\"{id}\" name=\"{name}\"/>");
    let two = "<ii:ArgumentReference argument=\"1\"/><ii:ArgumentReference argument=\"1\"/>";
    let circle = call(1, "cos_scal")
        + &call(2, "cos_scal")
        + &call(3, "cos_scal")
        + &edge(3, 2)
        + &edge(2, 1)
        + "<xaif:ExpressionEdge source=\"2\" target=\"3\" position=\"1\"/>";
    for (text, code, line) in [
        (String::new(), Code::MISSING_ELEMENT, 1),
        ("<a/>".to_string(), Code::UNKNOWN_ELEMENT, 1),
        (one(""), Code::MISSING_ELEMENT, 2),
        (one("<ii:Partial partial_id=\"2\" partial_type=\"passive\"/>"), Code::BAD_VALUE, 4),
        (one("<ii:Partial partial_id=\"1\"/>"), Code::MISSING_ELEMENT, 4),
        (one("<ii:Partial partial_id=\"1\" partial_type=\"odd\"/>"), Code::BAD_VALUE, 4),
        (of("<ii:ArgumentReference argument=\"7\"/>"), Code::BAD_VALUE, 4),
        (of("<xaif:Constant type=\"real\" value=\"much\"/>"), Code::CATALOGUE_ENTRY, 4),
        (of(&call(1, "frobnicate")), Code::CATALOGUE_ENTRY, 4),
        (of(&call(1, "cos_scal")), Code::CATALOGUE_ENTRY, 4),
        (of(two), Code::BAD_VALUE, 4),
        (of(&(call(1, "cos_scal") + &edge(9, 1))), Code::UNKNOWN_REFERENCE, 4),
        (of(&circle), Code::CATALOGUE_ENTRY, 4),
        (of("<ii:Odd/>"), Code::UNKNOWN_ELEMENT, 4),
        (
            non_inlinable("<n:DirectAction name=\"transpose_arr\" derivAction=\"sum_arr\"/>"),
            Code::CATALOGUE_ENTRY,
            1,
        ),
        (
            non_inlinable("<n:ExplicitJacobian name=\"f\" jacobian=\"j\"/>"),
            Code::CATALOGUE_JACOBIAN,
            1,
        ),
    ] {
        let errors = with(&text).err().unwrap_or_default();
        let found: Vec<(Code, u32)> = errors
            .iter()
            .map(|error| (error.code, error.spot.as_ref().map_or(0, |spot| spot.line)))
            .collect();
        assert_eq!(found, [(code, line)], "{text}\n{errors:?}");
    }
}
