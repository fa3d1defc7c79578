from typing import Any, final

__all__ = ["CsvTable", "Function", "functions"]
__version__: str

@final
class CsvTable:
    def __new__(
        cls,
        paths: list[str],
        encoding: str = "auto",
        errors: str = "strict",
        *,
        fallback: str | None = None,
        has_header: bool = True,
        delimiter: str = ",",
        quote: str = '"',
        schema_infer_max_records: int = 1000,
        file_extension: str = ".csv",
        compression: str | None = None,
    ) -> CsvTable: ...
    def reports(self) -> dict[str, dict[str, Any]]: ...
    def __datafusion_table_provider__(self, session: object) -> object: ...

@final
class Function:
    @property
    def name(self) -> str: ...
    def __datafusion_scalar_udf__(self) -> object: ...

def functions() -> list[Function]: ...
