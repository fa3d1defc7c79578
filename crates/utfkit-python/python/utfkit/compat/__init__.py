"""Modules with the functions of other packages, answered by utfkit.

- `utfkit.compat.chardet` has the interface of chardet 7.
- `utfkit.compat.charset_normalizer` has that of charset-normalizer 3.
"""
