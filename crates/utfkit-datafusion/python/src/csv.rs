//! Tables of CSV files for the Python package `datafusion`, as capsules.

use std::fmt;
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext, TaskContextProvider};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PhysicalExpr, PlanProperties};
use datafusion::prelude::{CsvReadOptions, SessionContext};
use datafusion_ffi::table_provider::FFI_TableProvider;
use pyo3::exceptions::{PyLookupError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use tokio::runtime::Runtime;
use utfkit::{Policy, Practice};
use utfkit_datafusion::{Utf8Store, csv_in, options_of};

/// The threads that read files. They live as long as the process.
static RUNTIME: LazyLock<std::io::Result<Runtime>> = LazyLock::new(Runtime::new);

fn runtime() -> PyResult<&'static Runtime> {
    RUNTIME.as_ref().map_err(|error| PyOSError::new_err(error.to_string()))
}

/// CSV files in any encoding, as a table that `SessionContext.register_table` accepts.
#[pyclass(frozen, module = "utfkit_datafusion")]
pub(crate) struct CsvTable {
    table: Arc<InSession>,
    store: Utf8Store,
}

#[pymethods]
impl CsvTable {
    #[new]
    #[pyo3(signature = (paths, encoding="auto", errors="strict", *, fallback=None, has_header=true, delimiter=",", quote="\"", schema_infer_max_records=1000, file_extension=".csv", compression=None))]
    #[expect(clippy::too_many_arguments, reason = "they are options")]
    fn new(
        py: Python<'_>,
        paths: Vec<String>,
        encoding: &str,
        errors: &str,
        fallback: Option<&str>,
        has_header: bool,
        delimiter: &str,
        quote: &str,
        schema_infer_max_records: usize,
        file_extension: &str,
        compression: Option<&str>,
    ) -> PyResult<CsvTable> {
        let mut text = options_of(encoding)
            .map_err(|_| PyLookupError::new_err(format!("unknown encoding: {encoding}")))?
            .errors(policy(errors)?);
        if let Some(name) = fallback {
            text = text.fallback(fallback_of(name)?);
        }
        let mut csv = CsvReadOptions::new();
        (csv.has_header, csv.delimiter, csv.quote) = (has_header, byte("delimiter", delimiter)?, byte("quote", quote)?);
        csv.schema_infer_max_records = schema_infer_max_records;
        csv.file_extension = file_extension;
        csv.file_compression_type = match compression {
            None => FileCompressionType::UNCOMPRESSED,
            Some(name) => name.parse().map_err(|_| {
                PyValueError::new_err(format!("compression is 'gzip', 'bz2', 'xz' or 'zstd', not {name:?}"))
            })?,
        };
        let context = Arc::new(SessionContext::new());
        let runtime = runtime()?;
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let made = py.detach(|| runtime.block_on(csv_in(&context, &paths, csv, text)));
        let (table, store) = made.map_err(|error| raised(&error))?;
        Ok(CsvTable { table: Arc::new(InSession { table, context }), store })
    }

    /// The encoding and the errors of each file that was read: `encoding`, `certainty`, `errors`, `first_error`,
    /// `in_fallback`, `bytes`.
    fn reports<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (path, report) in self.store.reports() {
            let one = PyDict::new(py);
            one.set_item("encoding", report.encoding().map(|encoding| encoding.name().to_ascii_lowercase()))?;
            one.set_item("certainty", report.certainty().map(|certainty| certainty.name()))?;
            one.set_item("errors", report.errors())?;
            one.set_item("first_error", report.first_error())?;
            one.set_item("in_fallback", report.in_fallback())?;
            one.set_item("bytes", report.bytes())?;
            all.set_item(path.to_string(), one)?;
        }
        Ok(all)
    }

    fn __datafusion_table_provider__<'py>(
        &self,
        py: Python<'py>,
        _session: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let context: Arc<dyn TaskContextProvider> = Arc::clone(&self.table.context) as _;
        let table = Arc::clone(&self.table) as Arc<dyn TableProvider>;
        let table = FFI_TableProvider::new(table, true, Some(runtime()?.handle().clone()), &context, None);
        PyCapsule::new_with_value(py, table, c"datafusion_table_provider")
    }
}

fn policy(errors: &str) -> PyResult<Policy> {
    match errors {
        "strict" => Ok(Policy::Strict),
        "replace" => Ok(Policy::Replace(Practice::MaximalSubpart)),
        "ignore" => Ok(Policy::Skip),
        other => {
            let known = "'strict', 'replace' and 'ignore'";
            Err(PyLookupError::new_err(format!("unknown error handler {other:?}: a table has {known}")))
        }
    }
}

fn fallback_of(name: &str) -> PyResult<utfkit::repair::Fallback> {
    let encoding =
        utfkit::Encoding::for_label(name).ok_or_else(|| PyLookupError::new_err(format!("unknown encoding: {name}")))?;
    let why = || PyValueError::new_err(format!("{name} cannot be a fallback: an encoding from before Unicode can"));
    utfkit::repair::Fallback::new(encoding).ok_or_else(why)
}

fn byte(option: &str, text: &str) -> PyResult<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err(PyValueError::new_err(format!("{option} is one character of US-ASCII, not {text:?}"))),
    }
}

fn raised(error: &DataFusionError) -> PyErr {
    match error.find_root() {
        DataFusionError::Plan(_) | DataFusionError::ObjectStore(_) | DataFusionError::IoError(_) => {
            PyOSError::new_err(error.strip_backtrace())
        }
        _ => PyRuntimeError::new_err(error.strip_backtrace()),
    }
}

/// A table of the session that knows its object store. Another session does not.
struct InSession {
    table: Arc<dyn TableProvider>,
    context: Arc<SessionContext>,
}

impl fmt::Debug for InSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table.fmt(f)
    }
}

#[async_trait]
impl TableProvider for InSession {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn table_type(&self) -> TableType {
        self.table.table_type()
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = self.table.scan(&self.context.state(), projection, filters, limit).await?;
        Ok(Arc::new(Scan { plan, task: self.context.task_ctx() }))
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.table.supports_filters_pushdown(filters)
    }
}

/// A scan, executed in the session of its table.
struct Scan {
    plan: Arc<dyn ExecutionPlan>,
    task: Arc<TaskContext>,
}

impl fmt::Debug for Scan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.fmt(f)
    }
}

impl DisplayAs for Scan {
    fn fmt_as(&self, kind: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.fmt_as(kind, f)
    }
}

impl ExecutionPlan for Scan {
    fn name(&self) -> &str {
        "Utf8CsvScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.plan.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.plan.apply_expressions(f)
    }

    fn execute(&self, partition: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.plan.execute(partition, Arc::clone(&self.task))
    }
}
