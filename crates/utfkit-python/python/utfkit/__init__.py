"""Check, convert, detect and repair text, in UTF-8 and all other encodings.

>>> import utfkit
>>> utfkit.decode(b"caf\\xc3\\xa9")
'café'
>>> for finding in utfkit.check(b"caf\\xe9 au lait"):
...     print(finding)
1:4: byte 3: E9: missing-continuation: only 1 of the 3 bytes that E9 announces (RFC 3629 section 4)
"""

from ._codecs import register, unregister
from ._reading import Reader, TextFile, open, reader
from ._utfkit import __version__ as __version__
from ._utfkit import (
    Candidate,
    Change,
    Detection,
    Finding,
    Findings,
    Inspection,
    Piece,
    Repair,
    Report,
    check,
    convert_file,
    decode,
    detect,
    encode,
    encoding_names,
    errors,
    find_encoding,
    fix_encoding,
    inspect,
    is_utf8,
    language_names,
    repair,
)

__all__ = [
    "Candidate",
    "Change",
    "Detection",
    "Finding",
    "Findings",
    "Inspection",
    "Piece",
    "Reader",
    "Repair",
    "Report",
    "TextFile",
    "check",
    "convert_file",
    "decode",
    "detect",
    "encode",
    "encoding_names",
    "errors",
    "find_encoding",
    "fix_encoding",
    "inspect",
    "is_utf8",
    "language_names",
    "open",
    "reader",
    "register",
    "repair",
    "unregister",
]
