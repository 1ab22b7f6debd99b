//! Activity analysis: for each program in `activity/` the facts that are found stand beside it, and
//! dual numbers never show a derivative where the analysis says that there is none.
//!
//! Comments at the beginning of a program: `! activity head=… independent=… dependent=…` are the
//! options, `! why x` asks for an explanation, `! run x=… n=…` are inputs with which it can be
//! executed. `OXAD_BLESS=1` writes the texts anew.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use booster_tests::trials::each;
use booster_tests::{
    activity_options, as_blessed, document, read, sources, told, told_at_top, verified,
};
use libtest_mimic::Trial;
use xaif_booster::analysis::Accesses;
use xaif_booster::analysis::activity::{Activity, Options, activity, storage};
use xaif_booster::externals::Externals;
use xaif_run::{Element, Mode, Request, parse_setting, run};
use xaif_schema::diag::Code;
use xaif_schema::inspect::show::{ShowOptions, show_with};
use xaif_schema::model::{Document, ProcId};

pub(crate) fn trials() -> Vec<Trial> {
    let own = || sources("activity");
    [
        each("activity::executed", own(), dual_numbers_show_no_other_derivative),
        each("activity::blessed", own(), |path| as_blessed(path, &facts(&read(path)))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The options of activity analysis at the top of a source.
fn options(source: &str) -> Options {
    activity_options(&told_at_top(source, "activity").join(" "))
}

/// The printed facts, the explanations, and the document with the facts.
fn facts(source: &str) -> String {
    let mut doc = document(source);
    let options = options(source);
    let storage = storage(&doc, &options);
    let accesses = Accesses::new(&doc, &storage);
    let found = match Activity::new(&accesses, &options, &Externals::new()) {
        Ok(found) => found,
        Err(messages) => return format!("refused\n{}", told(&messages)),
    };
    let mut text = told(&found.warnings()) + &found.print();
    for name in told_at_top(source, "why").into_iter().flat_map(str::split_whitespace) {
        text += "\n";
        text += &found.why(name).unwrap_or_else(|messages| told(&messages));
    }
    found.facts().record(&mut doc);
    verified(&doc);
    let show = ShowOptions { vertices: false, comments: false, ..ShowOptions::default() };
    text + "\n" + &show_with(&doc, &show)
}

/// The real dummy arguments of a procedure.
fn real_dummies(doc: &Document, proc: ProcId) -> Vec<String> {
    let dummies = doc.procs[proc].args.iter().filter_map(|arg| arg.symbol);
    let real = dummies.filter(|&symbol| {
        let decl = doc.symbols[symbol].decl.as_ref();
        decl.is_some_and(|decl| decl.spec.base().is_continuous())
    });
    real.map(|symbol| doc.name(symbol).to_owned()).collect()
}

/// How many pairs of an input and an output are said to have a derivative, and to have none.
static PAIRS: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Panics if the checks of a complete run were vacuous.
pub(crate) fn assert_seen() {
    let [some, none] = [0, 1].map(|index: usize| PAIRS[index].load(Ordering::Relaxed));
    assert!(some > 5 && none > 3, "both cases occur: {some} {none}");
}

/// There is none where the analysis says that there is none.
fn dual_numbers_show_no_other_derivative(path: &Path) {
    let source = read(path);
    let settings = told_at_top(&source, "run");
    let settings: Vec<_> = settings.into_iter().flat_map(str::split_whitespace).collect();
    if settings.is_empty() {
        return;
    }
    let doc = document(&source);
    let (head, data) = doc.procs.iter().find(|(_, p)| doc.name(p.symbol) == "f").expect("f");
    let values: Vec<_> =
        settings.iter().map(|word| parse_setting(word).expect("a setting")).collect();
    for independent in real_dummies(&doc, head) {
        if !values.iter().any(|(name, _)| *name == independent) {
            continue;
        }
        let direction = vec![parse_setting(&format!("{independent}=1.0")).expect("a number")];
        let request = Request {
            procedure: Some(doc.name(data.symbol).to_owned()),
            values: values.clone(),
            direction,
            mode: Mode::Tangent,
            ..Request::default()
        };
        let outcome = run(&doc, &request)
            .unwrap_or_else(|messages| panic!("{}: {}", path.display(), told(&messages)));
        for output in outcome.outputs {
            let is_real = output.elements.iter().any(|e| matches!(e, Element::Real(..)));
            if !is_real {
                continue;
            }
            let has_derivative = output
                .elements
                .iter()
                .any(|element| matches!(element, Element::Real(_, tangent) if *tangent != 0.0));
            let chosen = Options {
                heads: vec!["f".to_owned()],
                independent: vec![independent.clone()],
                dependent: vec![output.name.clone()],
                tests: false,
            };
            let mut copy = doc.clone();
            let warnings = activity(&mut copy, &chosen, &Externals::new()).expect("clear");
            let none = warnings.iter().any(|w| w.code == Code::DEPENDENT_CONSTANT);
            PAIRS[usize::from(none)].fetch_add(1, Ordering::Relaxed);
            assert!(
                !(none && has_derivative),
                "{}: {} does depend on {independent}",
                path.display(),
                output.name
            );
        }
    }
}
