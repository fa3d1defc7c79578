from typing import final

__all__ = ["Function", "functions"]

@final
class Function:
    @property
    def name(self) -> str: ...
    def __datafusion_scalar_udf__(self) -> object: ...

def functions() -> list[Function]: ...
