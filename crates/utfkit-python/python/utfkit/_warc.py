"""Records of WARC files (ISO 28500), of which the text can be replaced."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

_TEXT = re.compile(r"text/|application/(json|javascript|xml|xhtml\+xml|rss\+xml|atom\+xml|ld\+json|x-javascript)|.*\+(xml|json)$")
# They are of the old content.
_DIGESTS = ("warc-block-digest", "warc-payload-digest")
_LIMIT = 1 << 30


class Record(NamedTuple):
    """A record: its version, its headers in order, and its block. For HTTP, the block is in two parts."""

    version: bytes
    headers: list[tuple[str, str]]
    http: bytes
    """The status line and the headers of a response, with the empty line; nothing for other records."""
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")

    def _http_header(self, name: str) -> str:
        found = re.search(rb"^" + name.encode() + rb":[ \t]*([^\r\n]*)", self.http, re.MULTILINE | re.IGNORECASE)
        return found.group(1).decode("latin-1").strip() if found else ""

    def _kind(self) -> str:
        """The media type of the text."""
        return self._http_header("Content-Type") if self.http else self.header("content-type")

    def charset(self) -> str | None:
        """The charset that the header of the text names."""
        found = re.search(r"charset\s*=\s*\"?([^\s\";]+)", self._kind(), re.IGNORECASE)
        return found.group(1) if found else None

    def payload(self) -> bytes | str | None:
        """The bytes of a text, without transfer and content encodings. `None` if the record has no text, and a
        reason if the text cannot be read."""
        if self.header("warc-type") not in ("response", "resource", "conversion"):
            return None
        if not _TEXT.match(self._kind().partition(";")[0].strip().lower()):
            return None
        body = self.body
        if "chunked" in self._http_header("Transfer-Encoding").lower():
            joined = _joined(body)
            # Crawlers store bodies without the chunks, and leave the header.
            body = body if joined is None else joined
        coding = self._http_header("Content-Encoding").lower()
        if coding in ("gzip", "x-gzip", "deflate") and not _is_plain(body, coding):
            try:
                body = _inflated(body, coding)
            except (zlib.error, OSError, EOFError) as error:
                return f"its Content-Encoding is {coding}, and its content is not: {error}"
        elif coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            return f"its Content-Encoding is {coding}, which is not read"
        return body

    def with_text(self, text: bytes) -> Record:
        """The record with the text in UTF-8."""
        http = self.http
        if http:
            http = re.sub(rb"(?im)^(Transfer-Encoding|Content-Encoding|Content-Length):[^\r\n]*\r?\n", b"", http)
            http = re.sub(rb"(?im)^(Content-Type:[^\r\n]*)", _in_utf8, http, count=1)
            http = http.rstrip(b"\r\n") + b"\r\nContent-Length: %d\r\n\r\n" % len(text)
        headers = [(key, value) for key, value in self.headers if key.lower() not in _DIGESTS]
        if not http:
            headers = [(key, _in_utf8_text(value) if key.lower() == "content-type" else value) for key, value in headers]
        return self._replace(headers=headers, http=http, body=text)

    def with_headers(self, more: dict[str, str]) -> Record:
        return self._replace(headers=[*self.headers, *more.items()])

    def raw(self) -> bytes:
        block = self.http + self.body
        headers = [(key, str(len(block)) if key.lower() == "content-length" else value) for key, value in self.headers]
        lines = "".join(f"{key}: {value}\r\n" for key, value in headers)
        return self.version + b"\r\n" + lines.encode("utf-8", "surrogateescape") + b"\r\n" + block + b"\r\n\r\n"


def _in_utf8(found: re.Match[bytes]) -> bytes:
    return _in_utf8_text(found.group(1).decode("latin-1")).encode("latin-1")


def _in_utf8_text(kind: str) -> str:
    return re.sub(r"\s*;\s*charset\s*=\s*(\"[^\"]*\"|[^\s;]*)", "", kind, flags=re.IGNORECASE).rstrip("; ") + "; charset=utf-8"


def _joined(body: bytes) -> bytes | None:
    """The content of chunks; `None` if they are none."""
    parts: list[bytes] = []
    at = 0
    while True:
        end = body.find(b"\r\n", at)
        size = body[at:end].split(b";")[0].strip() if end >= 0 else b""
        if not re.fullmatch(rb"[0-9a-fA-F]{1,8}", size):
            return None
        length = int(size, 16)
        if length == 0:
            return b"".join(parts)
        parts.append(body[end + 2 : end + 2 + length])
        at = end + 2 + length
        if body[at : at + 2] != b"\r\n":
            return None
        at += 2


def _is_plain(body: bytes, coding: str) -> bool:
    """True if a crawler stored the body decoded, and left the header."""
    return "gzip" in coding and not body.startswith(b"\x1f\x8b")


def _inflated(body: bytes, coding: str) -> bytes:
    if "gzip" in coding:
        return gzip.decompress(body)
    try:
        return zlib.decompress(body)
    except zlib.error:
        # Without the header that the standard asks for, as some servers send it.
        return zlib.decompress(body, -zlib.MAX_WBITS)


def member(record: bytes) -> bytes:
    """A record of a compressed file, which is a member of its own."""
    return gzip.compress(record, mtime=0)


def records(file: Any, path: str) -> Iterator[Record]:
    """The records of a file, whose errors are ValueErrors with the path and the offset in the decompressed file."""
    buffer, at = b"", 0

    def fail(why: str) -> ValueError:
        return ValueError(f"{path}: {why} at byte {at}")

    while True:
        while b"\r\n\r\n" not in buffer.lstrip(b"\r\n") and len(buffer) < 1 << 20:
            more = file.read(1 << 16)
            if not more:
                break
            buffer += more
        skipped = len(buffer) - len(buffer.lstrip(b"\r\n"))
        buffer, at = buffer[skipped:], at + skipped
        if not buffer:
            return
        head, found, rest = buffer.partition(b"\r\n\r\n")
        version, *lines = head.split(b"\r\n")
        if not version.startswith(b"WARC/") or not found:
            raise fail("no record of WARC begins" if not version.startswith(b"WARC/") else "the file ends in a header")
        headers: list[tuple[str, str]] = []
        for line in lines:
            text = line.decode("utf-8", "surrogateescape")
            if text[:1] in (" ", "\t") and headers:
                headers[-1] = (headers[-1][0], headers[-1][1] + " " + text.strip())
                continue
            key, _, value = text.partition(":")
            headers.append((key, value.strip()))
        record = Record(version, headers, b"", b"")
        size = record.header("content-length")
        if not size.isdecimal() or int(size) > _LIMIT:
            raise fail(f"a record has the Content-Length {size!r}")
        length = int(size)
        parts = [rest]
        have = len(rest)
        while have < length:
            more = file.read(min(length - have, 1 << 20))
            if not more:
                raise fail(f"the file ends in a record of {length} bytes, of which it has {have}: it begins")
            parts.append(more)
            have += len(more)
        block = b"".join(parts)
        buffer = block[length:]
        block = block[:length]
        at += len(head) + 4 + length
        http = b""
        if "application/http" in record.header("content-type").lower() and record.header("warc-type") == "response":
            line_end = block.find(b"\r\n\r\n")
            if line_end >= 0:
                http, block = block[: line_end + 4], block[line_end + 4 :]
        yield record._replace(http=http, body=block)
