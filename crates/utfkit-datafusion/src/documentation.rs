//! What DataFusion shows of each function. The examples are run by `tests/sql.rs`.

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
            "Whether the bytes are UTF-8.",
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
            "The bytes as text, with U+FFFD for each maximal subpart that is ill-formed, as browsers have it; \
             'per-byte' and 'per-sequence' are other practices.",
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
            "The bytes as text, or null where they are not UTF-8.",
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
            "The bytes as text. Where they are not UTF-8 the query ends with an error, which says where and why.",
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
            "Where the bytes are not UTF-8 for the first time: offset and length in bytes, and the kind of error; null \
             where they are.",
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
            "Every error of the bytes, in order, each as first_error_utf8 has it; an empty list where they are UTF-8.",
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
        Function::DecodeText => (
            "The bytes read in an encoding, by any of its names; with 'auto' each row in that which is detected in it. \
             What is ill-formed becomes U+FFFD.",
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
            "The encoding of the bytes, null where there is none that they could be in, and how certain that is: \
             'certain', 'nearly certain', 'likely' or 'a guess'.",
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
            "The text as it was before it was read in another encoding and encoded again.",
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
            "How many characters the bytes have; an ill-formed sequence counts as make_valid_utf8 would write it.",
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
        Function::MakeValid => documentation.with_argument("practice", "'maximal-subpart' where it is left out."),
        Function::DecodeText => documentation.with_argument("encoding", "The name of an encoding, or 'auto'."),
        _ => documentation,
    }
    .build()
}
