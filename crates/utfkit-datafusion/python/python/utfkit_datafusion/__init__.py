"""The functions of utfkit for DataFusion's SQL. They run in Rust: rows do not pass through Python.

>>> from datafusion import SessionContext
>>> import utfkit_datafusion
>>> context = utfkit_datafusion.register(SessionContext())
>>> context.sql("SELECT make_valid_utf8(x'636166E9') AS text").to_pydict()
{'text': ['caf\ufffd']}
"""

from datafusion import SessionContext, udf

from ._utfkit_datafusion import Function, functions

__all__ = ["Function", "functions", "register"]


def register(context: SessionContext) -> SessionContext:
    """Registers all functions in a context and returns it: is_valid_utf8, make_valid_utf8, try_validate_utf8,
    validate_utf8, first_error_utf8, errors_utf8, findings_utf8, repair_utf8(raw, fallback),
    decode_text(raw, encoding), detect_encoding, undouble with the other name fix_encoding, code_points. All take
    bytes or strings.
    """
    for function in functions():
        context.register_udf(udf(function))
    return context
