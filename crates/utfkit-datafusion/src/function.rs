//! The kernels as scalar functions of DataFusion.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, StringArray, new_empty_array, new_null_array};
use arrow_schema::DataType;
use datafusion_common::{Result, ScalarValue, exec_datafusion_err, exec_err, internal_err, plan_err};
use datafusion_expr::{ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};
use utfkit::repair::{Fallback, Options};
use utfkit::{Encoding, Practice};
use utfkit_arrow::Decoding;

use crate::by_name::by_name;
use crate::documentation;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    IsValid,
    MakeValid,
    TryValidate,
    Validate,
    FirstError,
    Errors,
    Findings,
    Repair,
    DecodeText,
    DetectEncoding,
    Undouble,
    CodePoints,
}

impl Function {
    pub(crate) const ALL: [Function; 12] = [
        Function::IsValid,
        Function::MakeValid,
        Function::TryValidate,
        Function::Validate,
        Function::FirstError,
        Function::Errors,
        Function::Findings,
        Function::Repair,
        Function::DecodeText,
        Function::DetectEncoding,
        Function::Undouble,
        Function::CodePoints,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Function::IsValid => "is_valid_utf8",
            Function::MakeValid => "make_valid_utf8",
            Function::TryValidate => "try_validate_utf8",
            Function::Validate => "validate_utf8",
            Function::FirstError => "first_error_utf8",
            Function::Errors => "errors_utf8",
            Function::Findings => "findings_utf8",
            Function::Repair => "repair_utf8",
            Function::DecodeText => "decode_text",
            Function::DetectEncoding => "detect_encoding",
            Function::Undouble => "undouble",
            Function::CodePoints => "code_points",
        }
    }

    /// The least and the greatest number of arguments.
    fn arguments(self) -> (usize, usize) {
        match self {
            Function::MakeValid => (1, 2),
            Function::DecodeText | Function::Repair => (2, 2),
            _ => (1, 1),
        }
    }

    pub(crate) fn udf(self) -> Udf {
        // ftfy's name.
        let aliases = if self == Function::Undouble { vec!["fix_encoding".to_owned()] } else { Vec::new() };
        Udf { function: self, signature: Signature::user_defined(Volatility::Immutable), aliases }
    }

    /// Calls the kernel. `name` is the second argument, if there is one.
    fn call(self, rows: &ArrayRef, name: Option<&str>) -> Result<ArrayRef> {
        let rows = rows.as_ref();
        Ok(match self {
            Function::IsValid => Arc::new(utfkit_arrow::is_valid_utf8(rows)?),
            Function::MakeValid => {
                utfkit_arrow::make_valid_utf8(rows, name.map_or(Ok(Practice::default()), practice)?)?
            }
            Function::TryValidate => utfkit_arrow::try_validate_utf8(rows)?,
            Function::Validate => utfkit_arrow::validate_utf8(rows).map_err(|error| {
                let text = error.to_string();
                let text = text.strip_prefix("Invalid argument error: ").unwrap_or(&text);
                exec_datafusion_err!("validate_utf8: {text}, in a batch of {} rows", rows.len())
            })?,
            Function::FirstError => Arc::new(utfkit_arrow::first_error(rows)?),
            Function::Errors => Arc::new(utfkit_arrow::errors(rows)?),
            Function::Findings => Arc::new(utfkit_arrow::findings(rows)?),
            Function::Repair => utfkit_arrow::repair(rows, &name.map_or(Ok(Options::new()), fallback)?)?,
            Function::DecodeText => utfkit_arrow::decode(rows, decoding(name.unwrap_or("UTF-8"))?)?,
            Function::DetectEncoding => Arc::new(utfkit_arrow::detect(rows)?),
            Function::Undouble => utfkit_arrow::undouble(rows)?,
            Function::CodePoints => Arc::new(utfkit_arrow::code_points(rows)?),
        })
    }
}

fn practice(name: &str) -> Result<Practice> {
    match name {
        "maximal-subpart" => Ok(Practice::MaximalSubpart),
        "per-unit" | "per-byte" => Ok(Practice::PerUnit),
        "per-sequence" => Ok(Practice::PerSequence),
        other => exec_err!(
            "make_valid_utf8: unknown practice: {other} (there are maximal-subpart, per-unit and per-sequence)"
        ),
    }
}

fn fallback(name: &str) -> Result<Options> {
    let Some(encoding) = Encoding::for_label(name) else { return exec_err!("repair_utf8: unknown encoding: {name}") };
    match Fallback::new(encoding) {
        Some(fallback) => Ok(Options::new().fallback(fallback)),
        None => exec_err!(
            "repair_utf8: {encoding} cannot be a fallback: it is an encoding of Unicode, has states, or is not based on \
             US-ASCII"
        ),
    }
}

fn decoding(name: &str) -> Result<Decoding> {
    if name.eq_ignore_ascii_case("auto") {
        return Ok(Decoding::Detected);
    }
    match Encoding::for_label(name) {
        Some(encoding) => Ok(Decoding::As(encoding)),
        None => exec_err!("decode_text: unknown encoding: {name}"),
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Udf {
    function: Function,
    signature: Signature,
    aliases: Vec<String>,
}

impl ScalarUDFImpl for Udf {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let name = self.name();
        let (least, most) = self.function.arguments();
        if !(least..=most).contains(&given.len()) {
            let wanted = if least == most { least.to_string() } else { format!("{least} or {most}") };
            return plan_err!("{name} takes {wanted} arguments, not {}", given.len());
        }
        let mut coerced = Vec::with_capacity(given.len());
        match rows_type(&given[0]) {
            Some(data_type) => coerced.push(data_type),
            None => return plan_err!("{name} takes bytes or strings, not {}", given[0]),
        }
        if let Some(second) = given.get(1) {
            match rows_type(second) {
                Some(DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => {}
                Some(_) if second.is_null() => {}
                _ => return plan_err!("the second argument of {name} is a string, not {second}"),
            }
            coerced.push(DataType::Utf8);
        }
        Ok(coerced)
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        let Some(rows) = given.first() else { return plan_err!("{} takes an argument", self.name()) };
        Ok(self.function.call(&new_empty_array(rows), None)?.data_type().clone())
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        caught(self.name(), || self.invoke(arguments))
    }

    fn documentation(&self) -> Option<&Documentation> {
        documentation::of(self.function)
    }
}

impl Udf {
    fn invoke(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = arguments.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
        let len = if is_scalar { 1 } else { arguments.number_rows };
        let mut args = arguments.args.into_iter();
        let Some(rows) = args.next() else { return exec_err!("{} takes an argument", self.name()) };
        let rows = rows.into_array(len)?;
        let data_type = arguments.return_field.data_type();
        let result = match args.next() {
            None => self.function.call(&rows, None)?,
            Some(ColumnarValue::Scalar(name)) => match name.try_as_str().flatten() {
                Some(name) => self.function.call(&rows, Some(name))?,
                None => new_null_array(data_type, len),
            },
            Some(ColumnarValue::Array(names)) => {
                let Some(names) = names.as_any().downcast_ref::<StringArray>() else {
                    return exec_err!("the second argument of {} is a string", self.name());
                };
                by_name(&rows, names, data_type, |rows, name| self.function.call(rows, Some(name)))?
            }
        };
        Ok(if is_scalar {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?)
        } else {
            ColumnarValue::Array(result)
        })
    }
}

/// Calls `work` and turns a panic into an error of the query. Over DataFusion's foreign interface a panic would
/// abort the process, for example Python.
fn caught<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
        internal_err!("{name} panicked: {said}")
    })
}

/// The type that a column of type `given` is cast to, or `None` if it is not supported.
fn rows_type(given: &DataType) -> Option<DataType> {
    use DataType::{Binary, BinaryView, Dictionary, FixedSizeBinary, LargeBinary, LargeUtf8, Null, Utf8, Utf8View};
    match given {
        Binary | LargeBinary | BinaryView | Utf8 | LargeUtf8 | Utf8View => Some(given.clone()),
        Null | FixedSizeBinary(_) => Some(Binary),
        Dictionary(_, values) => rows_type(values),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_that_names_the_function() {
        let rows: [u8; 0] = [];
        let error = caught("undouble", || Ok(rows[std::hint::black_box(1)])).unwrap_err();
        assert!(error.to_string().contains("undouble panicked: index out of bounds"), "{error}");
    }
}
