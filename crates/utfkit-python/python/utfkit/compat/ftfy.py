"""`fix_text` and `fix_encoding` for callers of ftfy.

>>> from utfkit.compat import ftfy
>>> ftfy.fix_text("l\u2019humanitÃ©")
'l\u2019humanité'

Text that was read in a wrong encoding is undone, of all pairs of encodings that utfkit knows, and by the words
that the result has. What ftfy does besides is off, unless it is said otherwise below; an option for what this
module does not do is an error.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Literal

from .._utfkit import fix_encoding

__all__ = ["fix_encoding", "fix_text"]

# Parts of undoing, which cannot be chosen one by one.
_PARTS = {"restore_byte_a0", "replace_lossy_sequences", "decode_inconsistent_utf8", "fix_c1_controls", "fix_surrogates"}
# What this module does not do.
_LACKING = {
    "explain": "utfkit.repair(text.encode(), undouble=True).changes says what was changed",
    "unescape_html": "html.unescape does it",
    "remove_terminal_escapes": "it changes no encoding",
    "fix_latin_ligatures": "unicodedata.normalize('NFKC', text) does it",
    "fix_character_width": "unicodedata.normalize('NFKC', text) does it",
    "uncurl_quotes": "it loses the author's punctuation",
}
_CONTROLS = dict.fromkeys([*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F, *range(0x206A, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFD)])


def fix_text(
    text: str,
    config: Any = None,
    *,
    fix_line_breaks: bool = True,
    remove_control_chars: bool = True,
    normalization: Literal["NFC", "NFD", "NFKC", "NFKD"] | None = "NFC",
    max_decode_length: int | None = None,
    **options: Any,
) -> str:
    """Undoes text that was read in a wrong encoding, and then makes line ends line feeds, removes control
    characters and normalizes, as ftfy does, where that is not switched off.

    `fix_encoding=False` leaves out the first. `config` and the options of ftfy for what this function does not do
    raise a `ValueError`, unless they are off. `max_decode_length` is not needed, and ignored.
    """
    if not isinstance(text, str):
        raise TypeError(f"a str is needed, not {type(text).__name__}")
    if config is not None:
        raise ValueError("config is not supported: pass its options by name")
    undoes = options.pop("fix_encoding", True)
    for name, value in options.items():
        if name in _PARTS:
            if not value:
                raise ValueError(f"{name} cannot be switched off: it is a part of undoing an encoding")
        elif name not in _LACKING:
            raise TypeError(f"unknown option: {name}")
        elif value:
            raise ValueError(f"{name} is not supported: {_LACKING[name]}")
    if undoes:
        text = fix_encoding(text)
    if fix_line_breaks:
        for end in ("\r\n", "\r", "\u2028", "\u2029", "\x85"):
            text = text.replace(end, "\n")
    if remove_control_chars:
        text = text.translate(_CONTROLS)
    return unicodedata.normalize(normalization, text) if normalization else text
