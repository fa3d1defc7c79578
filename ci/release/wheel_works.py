"""What an installed wheel must do: wheel_works.py VERSION."""

import codecs
import sys

import utfkit

[found] = utfkit.check(b"caf\xe9 au lait")
assert (found.kind, found.offset) == ("missing-continuation", 3), found
text = "Привет, мир! Как дела? Спасибо, хорошо."
assert utfkit.detect(text.encode("koi8-r")).encoding.lower() == "koi8-r"
assert utfkit.decode(text.encode("koi8-r"), "koi8-r") == text
utfkit.register()
assert codecs.decode(b"Gr&APwA3w-e", "utf-7-imap") == "Grüße"
if hasattr(sys, "_is_gil_enabled") and "free-threading" in sys.version:
    assert not sys._is_gil_enabled(), "the module turns the GIL on"
assert utfkit.__version__ == sys.argv[1], utfkit.__version__
try:
    import nanoarrow
except ImportError:
    sys.exit()
import utfkit.arrow

column = nanoarrow.Array([b"tea", b"caf\xe9", None], nanoarrow.binary())
assert nanoarrow.Array(utfkit.arrow.make_valid_utf8(column)).to_pylist() == ["tea", "caf\ufffd", None]
