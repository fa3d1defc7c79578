"""Files in any encoding as UTF-8, for fsspec and what opens files by it: `utfkit::` before another URL.

>>> import fsspec
>>> with fsspec.open("memory://stadt.csv", "wb") as file:
...     _ = file.write("id,Stadt\\n1,Köln\\n".encode("cp1252"))
>>> with fsspec.open("utfkit::memory://stadt.csv") as file:
...     file.read()
b'id,Stadt\\n1,K\\xc3\\xb6ln\\n'

The options of `utfkit.reader` are those of the protocol:

>>> with fsspec.open("utfkit::memory://stadt.csv", "rt", utfkit={"encoding": "windows-1252"}) as file:
...     file.read()
'id,Stadt\\n1,Köln\\n'
"""

from __future__ import annotations

import re
from typing import Any

from ._needs import needed

needed("fsspec", "utfkit.fsspec")

import fsspec  # noqa: E402
from fsspec.implementations.chained import ChainedFileSystem  # noqa: E402

from ._reading import Reader, reader_of  # noqa: E402

__all__ = ["UtfkitFileSystem"]

_OPTIONS = ("encoding", "errors", "fallback", "at_least", "only", "not_", "language")


class UtfkitFileSystem(ChainedFileSystem):  # type: ignore[misc]
    """The files of another file system, read as UTF-8. Nothing can be written.

    The other one is `fs`, or that of `target_protocol` with `target_options`; 'file' if neither is given.
    Further arguments are those of `utfkit.reader`.
    """

    protocol = "utfkit"
    cachable = False

    def __init__(
        self,
        target_protocol: str | None = None,
        target_options: dict[str, Any] | None = None,
        fs: Any = None,
        fo: str = "",
        **options: Any,
    ) -> None:
        self._options = {name: options.pop(name) for name in _OPTIONS if name in options}
        super().__init__(**options)
        self.fs = fs if fs is not None else fsspec.filesystem(target_protocol or "file", **(target_options or {}))

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        if isinstance(path, list):
            return [cls._strip_protocol(one) for one in path]
        return re.sub(r"^utfkit(-[0-9]+)?(://|::)", "", path)

    def _open(self, path: str, mode: str = "rb", **_: Any) -> Reader:
        if mode != "rb":
            raise NotImplementedError("utfkit:: reads; write to the other file system")
        target = self._of_target(path)
        return reader_of(lambda: self.fs.open(target, "rb"), target, **self._options)

    def _of_target(self, path: str) -> str:
        return self.fs._strip_protocol(self._strip_protocol(path))  # type: ignore[no-any-return]

    def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
        # The length in UTF-8 is known when all is read.
        return {**self.fs.info(self._of_target(path), **kwargs), "size": None}

    def ls(self, path: str, detail: bool = True, **kwargs: Any) -> Any:
        found = self.fs.ls(self._of_target(path), detail=True, **kwargs)
        return [{**one, "size": None} for one in found] if detail else [one["name"] for one in found]

    def glob(self, path: str, **kwargs: Any) -> Any:
        # A file of that name is meant, if there is one.
        if not kwargs.get("detail") and self.fs.isfile(self._of_target(path)):
            return [self._strip_protocol(path)]
        return super().glob(path, **kwargs)

    def size(self, path: str) -> int:
        """The length in UTF-8. Reads the file."""
        with self._open(path) as file:
            return file.seek(0, 2)

    def modified(self, path: str) -> Any:
        return self.fs.modified(self._of_target(path))

    def created(self, path: str) -> Any:
        return self.fs.created(self._of_target(path))

    def ukey(self, path: str) -> Any:
        return self.fs.ukey(self._of_target(path))
