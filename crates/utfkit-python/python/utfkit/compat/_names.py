"""The codecs of Python for the encodings of utfkit."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

# Names of utfkit that Python spells in another way. Of several codecs, the first that decodes the
# bytes is meant. The first is that of the Encoding Standard, which utfkit follows.
_CODECS = {
    "us-ascii": ["ascii"],
    "iso-8859-1": ["iso8859-1"],
    "iso-8859-8-i": ["iso8859-8"],
    "windows-874": ["cp874"],
    "shift_jis": ["cp932", "shift_jis", "shift_jis_2004"],
    "euc-jp": ["euc_jp", "euc_jis_2004"],
    "iso-2022-jp": ["iso2022_jp", "iso2022_jp_2", "iso2022_jp_ext"],
    "euc-kr": ["cp949", "euc_kr"],
    "gbk": ["gb18030"],
    "big5": ["big5", "cp950", "big5hkscs"],
    "hz-gb-2312": ["hz"],
    "ibm00858": ["cp858"],
    "macintosh": ["mac-roman"],
    "x-mac-ce": ["mac-latin2"],
    "x-mac-croatian": ["mac-croatian"],
    "x-mac-cyrillic": ["mac-cyrillic"],
    "x-mac-greek": ["mac-greek"],
    "x-mac-icelandic": ["mac-iceland"],
    "x-mac-romanian": ["mac-romanian"],
    "x-mac-turkish": ["mac-turkish"],
    "iso-8859-11": ["iso8859-11", "cp874"],
    "tis-620": ["tis-620", "cp874"],
    "utf-16le": ["utf-16-le"],
    "utf-16be": ["utf-16-be"],
    "utf-32le": ["utf-32-le"],
    "utf-32be": ["utf-32-be"],
    "utf-8-sig": ["utf-8-sig"],
}

# Codecs of Python for which `find_encoding` knows another name.
_ENCODINGS = {
    "cp932": "shift_jis",
    "shift_jis_2004": "shift_jis",
    "shift_jisx0213": "shift_jis",
    "euc_jis_2004": "euc-jp",
    "euc_jisx0213": "euc-jp",
    "iso2022_jp": "iso-2022-jp",
    "iso2022_jp_1": "iso-2022-jp",
    "iso2022_jp_2": "iso-2022-jp",
    "iso2022_jp_3": "iso-2022-jp",
    "iso2022_jp_2004": "iso-2022-jp",
    "iso2022_jp_ext": "iso-2022-jp",
    "iso2022_kr": "iso-2022-kr",
    "cp949": "euc-kr",
    "cp950": "big5",
    "big5hkscs": "big5",
    "gb2312": "gbk",
    "cp858": "ibm00858",
    "cp1140": "ibm037",
    "mac-latin2": "x-mac-ce",
    "mac-roman": "macintosh",
    "mac-iceland": "x-mac-icelandic",
}


def codec_name(name: str) -> str | None:
    """Python's name of the codec for a label, if it has one."""
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        return None


def encoding_of_codec(name: str) -> str | None:
    """The name in utfkit of a codec."""
    from utfkit import find_encoding

    if name in ("utf-8-sig", "utf_8_sig"):
        return "utf-8"
    return find_encoding(_ENCODINGS.get(name, name))


def codecs_of(encoding: str) -> Sequence[str]:
    """The codecs of Python for an encoding."""
    if encoding in _CODECS:
        return _CODECS[encoding]
    name = codec_name(encoding)
    return [name] if name else []


def decodes(data: bytes, codec: str, *, is_cut: bool = True) -> bool:
    """True if the codec decodes the bytes. If they are cut, the last character may be, too."""
    try:
        codecs.getincrementaldecoder(codec)().decode(data, not is_cut)
    except (LookupError, UnicodeError, AssertionError):
        return False
    return True

