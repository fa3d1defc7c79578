"""Check, convert and repair text, in UTF-8 and all other encodings.

>>> import utfkit
>>> utfkit.decode(b"caf\\xc3\\xa9")
'café'
"""

from __future__ import annotations

from ._codecs import register, unregister
from ._utfkit import decode, encode

__all__ = ["decode", "encode", "register", "unregister"]
