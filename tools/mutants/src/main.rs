//! Inserts all mutants (changes) into Rust sources at once. Each one is behind a run-time condition which
//! checks that its number is the one to run. The program is therefore compiled only once, and then run with
//! each mutant (tools/mutants.py).
//!
//! `mutants FILE EXCLUDED...`: FILE has a line `FIRST PATH` for each source, and EXCLUDED are the numbers of
//! mutants that are not inserted. The sources are rewritten in place. For each mutant, a line `NUMBER PATH
//! LINE FUNCTION: CHANGE` is printed. The mutants of a source are numbered from its FIRST. Two thousand
//! numbers are reserved for each source, even if it has fewer mutants.

use proc_macro2::{LineColumn, Span};
use quote::ToTokens;
use std::collections::HashSet;
use std::fmt::Write as _;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, ReturnType, UnOp};

/// A change of a range in the source: text that is inserted before and after it, and outside the edits of
/// ranges within it.
struct Edit {
    start: usize,
    end: usize,
    before: String,
    after: String,
}

struct Planter<'a> {
    source: &'a str,
    /// The offset at which each line begins.
    lines: Vec<usize>,
    excluded: &'a HashSet<u32>,
    next: u32,
    function: Vec<String>,
    edits: Vec<Edit>,
    log: Vec<String>,
}

/// Operators and their replacements.
const OPERATORS: &[(&str, &[&str])] = &[
    ("+", &["-", "*"]),
    ("-", &["+", "/"]),
    ("*", &["+", "/"]),
    ("/", &["*", "%"]),
    ("%", &["/", "+"]),
    ("<<", &[">>"]),
    (">>", &["<<"]),
    ("&", &["|", "^"]),
    ("|", &["&", "^"]),
    ("^", &["|", "&"]),
    ("==", &["!="]),
    ("!=", &["=="]),
    ("&&", &["||"]),
    ("||", &["&&"]),
    ("<", &["<=", ">"]),
    ("<=", &["<", ">"]),
    (">", &[">=", "<"]),
    (">=", &[">", "<"]),
    ("+=", &["-=", "*="]),
    ("-=", &["+=", "/="]),
    ("*=", &["+=", "/="]),
    ("/=", &["*="]),
    ("%=", &["/="]),
    ("<<=", &[">>="]),
    (">>=", &["<<="]),
    ("&=", &["|="]),
    ("|=", &["&="]),
    ("^=", &["|="]),
];

/// Values that a function can return instead of its result, by its return type.
fn values(output: &str) -> Vec<String> {
    let of = |list: &[&str]| list.iter().map(|value| (*value).to_owned()).collect();
    let inside = |name: &str| output.strip_prefix(name).and_then(|rest| rest.strip_suffix('>'));
    match output {
        "()" => return of(&["()"]),
        "bool" => return of(&["true", "false"]),
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i32" | "i64" => return of(&["0", "1"]),
        "f64" => return of(&["0.0", "1.0"]),
        "String" => return of(&["String::new()"]),
        "&str" | "&'staticstr" => return of(&["\"\""]),
        "&[u8]" => return of(&["&[]"]),
        "Ordering" => return of(&["Ordering::Equal"]),
        _ => {}
    }
    if let Some(inner) = inside("Option<") {
        let some = values(inner).into_iter().map(|value| format!("Some({value})"));
        return ["None".to_owned()].into_iter().chain(some).collect();
    }
    if let Some(inner) = inside("Result<") {
        // The type of the success value ends at the last comma outside of brackets.
        let mut depth = 0;
        let comma = inner.char_indices().find(|(_, c)| {
            depth += i32::from(matches!(c, '<' | '(' | '[')) - i32::from(matches!(c, '>' | ')' | ']'));
            *c == ',' && depth == 0
        });
        let success = comma.map_or(inner, |(at, _)| &inner[..at]);
        return values(success).into_iter().map(|value| format!("Ok({value})")).collect();
    }
    if output.starts_with("Vec<") {
        return of(&["Vec::new()"]);
    }
    Vec::new()
}

/// Returns true if the item is compiled in the tests on this platform. Items for tests only are excluded.
fn is_there(attributes: &[Attribute]) -> bool {
    attributes.iter().all(|attribute| {
        let text = attribute.to_token_stream().to_string().replace(' ', "");
        let elsewhere = [
            "test",
            "target",
            "not(",
            "windows",
            "docsrs",
            "planted",
            "rayon",
            "digest",
            "rand_core",
            "accel",
        ];
        !(text == "#[test]" || text.starts_with("#[cfg(") && elsewhere.iter().any(|word| text.contains(word)))
    })
}

fn compact(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

impl Planter<'_> {
    fn offset(&self, at: LineColumn) -> usize {
        let start = self.lines[at.line - 1];
        let line = &self.source[start..];
        start + line.char_indices().nth(at.column).map_or(line.len(), |(offset, _)| offset)
    }

    fn range(&self, span: Span) -> (usize, usize) {
        (self.offset(span.start()), self.offset(span.end()))
    }

    fn text(&self, spanned: &impl Spanned) -> &str {
        let (start, end) = self.range(spanned.span());
        &self.source[start..end]
    }

    /// The number of the next mutant, or `None` if it is excluded.
    fn number(&mut self, span: Span, change: &str) -> Option<u32> {
        let number = self.next;
        self.next += 1;
        if self.excluded.contains(&number) {
            return None;
        }
        let function = self.function.join("::");
        self.log.push(format!("{number} {} {function}: {change}", span.start().line));
        Some(number)
    }

    fn wrap(&mut self, span: Span, before: String, after: &str) {
        if !before.is_empty() {
            let (start, end) = self.range(span);
            self.edits.push(Edit { start, end, before, after: after.to_owned() });
        }
    }

    fn function(&mut self, name: &str, signature: &syn::Signature, block: &Block) {
        if signature.constness.is_some() || signature.unsafety.is_some() {
            return;
        }
        self.function.push(name.to_owned());
        let output = match &signature.output {
            ReturnType::Default => "()".to_owned(),
            ReturnType::Type(_, output) => compact(output),
        };
        let body = compact(block);
        let mut before = String::new();
        for value in values(&output) {
            if block.stmts.is_empty() || body == format!("{{{}}}", value.replace(' ', "")) {
                continue;
            }
            if let Some(number) = self.number(signature.ident.span(), &format!("returns {value}")) {
                write!(before, " if crate::planted({number}) {{ return {value}; }} ")
                    .expect("a string takes all");
            }
        }
        if !before.is_empty() {
            let start = self.offset(block.brace_token.span.open().end());
            self.edits.push(Edit { start, end: start, before, after: String::new() });
        }
        visit::visit_block(self, block);
        self.function.pop();
    }
}

/// Returns true for functions that overwrite secrets, because separate tests in separate processes check
/// them.
fn is_left_out(name: &str) -> bool {
    ["zeroize", "wipe", "erase"].iter().any(|word| name.contains(word))
}

fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Planter<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_there(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let of = item.trait_.as_ref().map(|(_, path, _)| compact(path)).unwrap_or_default();
        if is_there(&item.attrs) && !of.ends_with("Debug") && !of.ends_with("Drop") {
            self.function.push(compact(&item.self_ty));
            visit::visit_item_impl(self, item);
            self.function.pop();
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let name = item.sig.ident.to_string();
        if is_there(&item.attrs) && !is_left_out(&name) {
            self.function(&name, &item.sig, &item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let name = item.sig.ident.to_string();
        if is_there(&item.attrs) && !is_left_out(&name) {
            self.function(&name, &item.sig, &item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        let name = item.sig.ident.to_string();
        if let Some(block) = &item.default
            && is_there(&item.attrs)
        {
            self.function(&name, &item.sig, block);
        }
    }

    // These are evaluated at compile time, when the run-time condition cannot be checked.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if is_there(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let whole = Expr::Binary(binary.clone());
        if !has_let(&whole) {
            let operator = compact(&binary.op);
            let (left, right) = (self.text(&binary.left).to_owned(), self.text(&binary.right).to_owned());
            let span = binary.span();
            let changed = OPERATORS.iter().find(|(from, _)| *from == operator).map_or(&[][..], |(_, to)| to);
            let mut before = String::new();
            for other in changed {
                if let Some(number) = self.number(binary.op.span(), &format!("{operator} becomes {other}")) {
                    let lead = if before.is_empty() { "(" } else { "" };
                    write!(
                        before,
                        "{lead}if crate::planted({number}) {{ ({left}) {other} ({right}) }} else "
                    )
                    .expect("a string takes all");
                }
            }
            if !before.is_empty() {
                // In parentheses, because otherwise an expression that begins with `if` or `match` would end
                // after its block.
                before.push_str("{ (");
            }
            self.wrap(span, before, ") })");
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_) | UnOp::Neg(_)) {
            let operator = compact(&unary.op);
            let operand = self.text(&unary.expr).to_owned();
            let before = self
                .number(unary.span(), &format!("without {operator}"))
                .map(|number| format!("(if crate::planted({number}) {{ ({operand}) }} else {{ "));
            self.wrap(unary.span(), before.unwrap_or_default(), " })");
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !is_there(&arm.attrs) {
            return;
        }
        if let Some((_, guard)) = &arm.guard {
            if !has_let(guard) {
                let mut before = String::new();
                for (question, change) in [("", "true"), ("!", "false")] {
                    if let Some(number) = self.number(guard.span(), &format!("a guard is {change}")) {
                        let join = if question.is_empty() { "||" } else { "&&" };
                        before = format!("{question}crate::planted({number}) {join} ({before}");
                    }
                }
                let after = ")".repeat(before.matches('(').count() - before.matches("planted(").count());
                self.wrap(guard.span(), before, &after);
            }
        }
        visit::visit_arm(self, arm);
    }
}

/// Returns the source with all edits. If two edits begin at the same position, the outer one comes first.
fn edited(source: &str, edits: &[Edit]) -> String {
    let mut marks: Vec<(usize, u8, usize, usize, &str)> = Vec::new();
    for (i, edit) in edits.iter().enumerate() {
        let len = edit.end - edit.start;
        // At the same position: first the texts that end an edit, the inner one before the outer one, then
        // the texts that begin an edit, the outer one before the inner one.
        marks.push((edit.start, 1, usize::MAX - len, i, &edit.before));
        marks.push((edit.end, 0, len, usize::MAX - i, &edit.after));
    }
    marks.retain(|(.., text)| !text.is_empty());
    marks.sort_unstable();
    let (mut out, mut at) = (String::new(), 0);
    for (place, .., text) in marks {
        out.push_str(&source[at..place]);
        out.push_str(text);
        at = place;
    }
    out + &source[at..]
}

/// Returns the source with all mutants except the excluded ones, numbered from `first`, and a line for each.
fn planted(source: &str, first: u32, excluded: &HashSet<u32>) -> syn::Result<(String, Vec<String>)> {
    let file = syn::parse_file(source)?;
    let lines = [0].into_iter().chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let (function, edits, log) = (Vec::new(), Vec::new(), Vec::new());
    let mut planter = Planter { source, lines, excluded, next: first, function, edits, log };
    planter.visit_file(&file);
    assert!(planter.next < first + 2000, "more changes than numbers");
    let edited = edited(source, &planter.edits);
    syn::parse_file(&edited)?;
    Ok((edited, planter.log))
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let list = arguments.next().expect("a file with sources");
    let excluded: HashSet<u32> = arguments.map(|number| number.parse().expect("a number")).collect();
    let list = std::fs::read_to_string(list).expect("the file with sources");
    for line in list.lines() {
        let (first, path) = line.split_once(' ').expect("a number and a path");
        let source = std::fs::read_to_string(path).expect("a source");
        let first = first.parse().expect("a number");
        let (source, log) =
            planted(&source, first, &excluded).unwrap_or_else(|error| panic!("{path}: {error}"));
        std::fs::write(path, source).expect("a source to write");
        for line in log {
            let (number, rest) = line.split_once(' ').expect("a number");
            println!("{number} {path} {rest}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::planted;
    use std::collections::HashSet;

    fn of(source: &str, excluded: &[u32]) -> (String, Vec<String>) {
        let excluded: HashSet<u32> = excluded.iter().copied().collect();
        planted(source, 7, &excluded).unwrap()
    }

    #[test]
    fn operators_one_in_another() {
        let (source, log) = of("fn f(a: A) { g(a == b + 1) }", &[7, 10]);
        assert_eq!(
            source,
            "fn f(a: A) { g((if crate::planted(8) { (a) != (b + 1) } else { \
             (a == (if crate::planted(9) { (b) - (1) } else { (b + 1) })) })) }"
        );
        assert_eq!(log, ["8 1 f: == becomes !=", "9 1 f: + becomes -"]);
    }

    #[test]
    fn values_guards_and_negations() {
        let (source, log) = of("fn f() -> Result<bool, E> {\n match x { y if !p => !q, _ => r } }", &[11]);
        assert_eq!(
            source,
            "fn f() -> Result<bool, E> { if crate::planted(7) { return Ok(true); }  \
             if crate::planted(8) { return Ok(false); } \n match x { y if !crate::planted(10) && \
             (crate::planted(9) || (!p)) => (if crate::planted(12) { (q) } else { !q }), _ => r } }"
        );
        assert_eq!(log.len(), 5);
        assert_eq!(log[4], "12 2 f: without !");
    }

    /// Ranges that begin and end at the same position.
    #[test]
    fn guards_that_are_operators() {
        let (source, _) = of("fn f() -> T { match x { y if a < b => 0, _ => 1 } }", &[10]);
        assert_eq!(
            source,
            "fn f() -> T { match x { y if !crate::planted(8) && (crate::planted(7) || \
             ((if crate::planted(9) { (a) <= (b) } else { (a < b) }))) => 0, _ => 1 } }"
        );
    }

    #[test]
    fn what_is_left_as_it_is() {
        for source in [
            "fn f() -> T { g() }",
            "fn f() -> bool { if let Some(x) = y && z { g() } else { h() } }".replace("bool", "T").as_str(),
            "const fn f() -> bool { a == b }",
            "#[cfg(test)] mod tests { fn f() -> bool { a == b } }",
            "impl Drop for X { fn drop(&mut self) { a = b + c; } }",
            "const X: u8 = 1 + 2;",
            "type X = [u8; 1 + 2];",
            "fn f() -> [u8; 1 + 2] { [0; 1 + 2] }",
        ] {
            assert_eq!(of(source, &[]), (source.to_owned(), Vec::new()));
        }
    }
}
