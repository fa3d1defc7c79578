//! The documentation of each function. `tests/sql.rs` runs the examples.

use std::sync::LazyLock;

use datafusion_expr::{DocSection, Documentation};

use crate::function::Function;

const SECTION: DocSection = DocSection { include: true, label: "UTF-8 Functions", description: None };

static ALL: LazyLock<[Documentation; Function::ALL.len()]> = LazyLock::new(|| Function::ALL.map(written));

pub(crate) fn of(function: Function) -> Option<&'static Documentation> {
    let at = Function::ALL.iter().position(|each| *each == function)?;
    ALL.get(at)
}

fn written(function: Function) -> Documentation {
    let (description, syntax, example) = match function {
        Function::IsValid => (
            "Returns true if the bytes are UTF-8.",
            "is_valid_utf8(raw)",
            "\
> SELECT is_valid_utf8(x'636166C3A9') AS valid, is_valid_utf8(x'636166E9') AS latin1;
+-------+--------+
| valid | latin1 |
+-------+--------+
| true  | false  |
+-------+--------+",
        ),
        Function::MakeValid => (
            "Returns the bytes as text, with U+FFFD for each maximal subpart that is ill-formed, as browsers do, or \
             as practice says.",
            "make_valid_utf8(raw [, practice])",
            "\
> SELECT make_valid_utf8(x'636166E9') AS text, make_valid_utf8(x'EDA080', 'per-sequence') AS surrogate;
+------+-----------+
| text | surrogate |
+------+-----------+
| caf\u{FFFD} | \u{FFFD}         |
+------+-----------+",
        ),
        Function::TryValidate => (
            "Returns the bytes as text, or null if they are not UTF-8.",
            "try_validate_utf8(raw)",
            "\
> SELECT try_validate_utf8(x'636166C3A9') AS text, try_validate_utf8(x'636166E9') AS latin1;
+------+--------+
| text | latin1 |
+------+--------+
| café |        |
+------+--------+",
        ),
        Function::Validate => (
            "Returns the bytes as text. If they are not UTF-8, the query fails with the offset and kind of the error.",
            "validate_utf8(raw)",
            "\
> SELECT validate_utf8(x'636166C3A9') AS text;
+------+
| text |
+------+
| café |
+------+",
        ),
        Function::FirstError => (
            "Returns offset and length in bytes and the kind of the first error, or null if the bytes are UTF-8.",
            "first_error_utf8(raw)",
            "\
> SELECT first_error_utf8(x'636166E92E') AS error;
+----------------------------------------------------+
| error                                              |
+----------------------------------------------------+
| {offset: 3, length: 1, kind: missing-continuation} |
+----------------------------------------------------+",
        ),
        Function::Errors => (
            "Returns offset, length and kind of all errors, in order. The list is empty if the bytes are UTF-8.",
            "errors_utf8(raw)",
            "\
> SELECT unnest(errors_utf8(x'E92EFF')) AS error;
+----------------------------------------------------+
| error                                              |
+----------------------------------------------------+
| {offset: 0, length: 1, kind: missing-continuation} |
| {offset: 2, length: 1, kind: invalid-byte}         |
+----------------------------------------------------+",
        ),
        Function::Findings => (
            "Returns the findings of the command utfkit check: offset, length, line, column, bytes, kind, code_point and \
             message of each ill-formed sequence.",
            "findings_utf8(raw)",
            "\
> SELECT unnest(findings_utf8(x'610AC0AF')) AS finding;
+--------------------------------------------------------------------------------------------------------------------------------------------------------------------------+
| finding                                                                                                                                                                  |
+--------------------------------------------------------------------------------------------------------------------------------------------------------------------------+
| {offset: 2, length: 2, line: 2, column: 1, bytes: c0af, kind: overlong, code_point: U+002F, message: two-byte form of U+002F \"/\", which must be 2F (RFC 3629 section 3)} |
+--------------------------------------------------------------------------------------------------------------------------------------------------------------------------+",
        ),
        Function::Repair => (
            "Returns the bytes as text, with ill-formed bytes read in another encoding.",
            "repair_utf8(raw, fallback)",
            "\
> SELECT repair_utf8(x'636166E920E282AC', 'windows-1252') AS text;
+--------+
| text   |
+--------+
| café € |
+--------+",
        ),
        Function::DecodeText => (
            "Decodes the bytes from an encoding, given by any of its names, or with 'auto' from the encoding \
             detected for each row. Ill-formed sequences become U+FFFD. With 'auto' a row that is not text becomes null.",
            "decode_text(raw, encoding)",
            "\
> SELECT decode_text(x'636166E9', 'latin-1') AS latin1, decode_text(x'EFE5F0E5', 'cp1251') AS cyrillic;
+--------+----------+
| latin1 | cyrillic |
+--------+----------+
| café   | пере     |
+--------+----------+",
        ),
        Function::DetectEncoding => (
            "Returns the encoding of the bytes, null if no encoding fits, and the certainty: 'certain', 'nearly \
             certain', 'likely' or 'a guess'.",
            "detect_encoding(raw)",
            "\
> SELECT detect_encoding('Grüße, 日本語, Съешь') AS found;
+---------------------------------------+
| found                                 |
+---------------------------------------+
| {encoding: UTF-8, certainty: certain} |
+---------------------------------------+",
        ),
        Function::Undouble => (
            "Undoes double encoding: text that was decoded in another encoding and encoded again.",
            "undouble(raw)",
            "\
> SELECT undouble('Ã©tÃ© Ã©crit') AS text;
+-----------+
| text      |
+-----------+
| été écrit |
+-----------+",
        ),
        Function::CodePoints => (
            "Returns the number of characters. An ill-formed sequence counts as make_valid_utf8 would write it.",
            "code_points(raw)",
            "\
> SELECT code_points('日本語') AS text, code_points(x'636166E9') AS damaged;
+------+---------+
| text | damaged |
+------+---------+
| 3    | 4       |
+------+---------+",
        ),
    };
    let documentation =
        Documentation::builder(SECTION, description, syntax).with_sql_example(format!("```sql\n{example}\n```"));
    let documentation = documentation.with_argument("raw", "Bytes or a string: a constant, a column or an expression.");
    match function {
        Function::MakeValid => {
            documentation.with_argument("practice", "'maximal-subpart' (the default), 'per-byte' or 'per-sequence'.")
        }
        Function::Repair => {
            documentation.with_argument("fallback", "The name of an encoding based on US-ASCII without states.")
        }
        Function::DecodeText => documentation.with_argument("encoding", "The name of an encoding, or 'auto'."),
        _ => documentation,
    }
    .build()
}
