"""Texts and test files that utfkit's model is not trained on.

They are downloaded once, to a folder outside of the repository:
Debian packages by `apt-get download`, Debian sources by `apt-get source`,
source distributions by `pip download`.
"""

import glob
import gzip
import os
import random
import re
import subprocess
import tarfile
import unicodedata

MANUALS = "cs da de el es fi fr hu id it ja mk nb nl pl pt-br ro ru sr sv tr uk vi zh".split()

# Languages and the packages of their dictionaries.
DICTIONARIES = {
    "ar": "hunspell-ar", "be": "hunspell-be", "bg": "hunspell-bg", "bs": "hunspell-bs", "ca": "hunspell-ca",
    "eo": "myspell-eo", "et": "myspell-et", "eu": "hunspell-eu", "fa": "myspell-fa", "fo": "wfaroese",
    "ga": "myspell-ga", "gl": "hunspell-gl", "he": "hunspell-he", "hr": "hunspell-hr", "hy": "myspell-hy",
    "is": "hunspell-is", "kk": "hunspell-kk", "ko": "hunspell-ko", "lt": "hunspell-lt", "lv": "hunspell-lv",
    "mn": "hunspell-mn", "oc": "hunspell-oc", "sk": "hunspell-sk", "sl": "hunspell-sl", "sq": "myspell-sq",
    "sr": "hunspell-sr", "th": "hunspell-th", "uk": "hunspell-uk",
}  # fmt: skip

TUTORS = (
    "bg ca cs da de el eo es fr hr hu it ja ko lv nb nl pl pt ru sk sr sv tr uk vi zh_cn zh_tw".split()
)


class Folder:
    """The folder of the downloads."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        os.makedirs(self.path, exist_ok=True)

    def _in(self, *names):
        return os.path.join(self.path, *names)

    def packages(self, names):
        """Unpacks Debian packages; returns the path of each by its name."""
        os.makedirs(self._in("packages"), exist_ok=True)
        lacking = [name for name in names if not os.path.isdir(self._in("packages", name))]
        if lacking:
            os.makedirs(self._in("fetched"), exist_ok=True)
            _run(["apt-get", "download", "-q", *lacking], self._in("fetched"))
            for name in lacking:
                (archive,) = glob.glob(self._in("fetched", name + "_*.deb"))
                _run(["dpkg-deb", "-x", archive, self._in("packages", name)], self.path)
        return {name: self._in("packages", name) for name in names}

    def source(self, name):
        """The unpacked source of a Debian package."""
        return self._unpacked(name, lambda: self._apt_source(name))

    def _apt_source(self, name):
        # Its own configuration, because few systems list sources.
        state = self._in("apt")
        os.makedirs(os.path.join(state, "lists", "partial"), exist_ok=True)
        here = os.path.join(state, "sources.list")
        release = dict(re.findall(r'^(\w+)="?([^"\n]*)', open("/etc/os-release").read(), re.M))["VERSION_CODENAME"]
        keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
        with open(here, "w") as out:
            out.write(f"deb-src [signed-by={keyring}] http://deb.debian.org/debian {release} main\n")
        options = [
            "-o", "Dir::Etc::sourcelist=" + here,
            "-o", "Dir::Etc::sourceparts=/dev/null",
            "-o", "Dir::State::lists=" + os.path.join(state, "lists"),
        ]  # fmt: skip
        if not glob.glob(os.path.join(state, "lists", "*Sources*")):
            _run(["apt-get", *options, "update", "-q"], self.path)
        _run(["apt-get", *options, "source", "-q", "--download-only", name], self._in("fetched"))
        return glob.glob(self._in("fetched", name + "_*.orig.tar.*"))[0]

    def distribution(self, name, version=None):
        """The unpacked source distribution of a Python package."""
        wanted = f"{name}=={version}" if version else name

        def fetch():
            _run(["python3", "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name, wanted], self._in("fetched"))
            return glob.glob(self._in("fetched", f"{name.replace('-', '[-_]')}-{version or '*'}.tar.gz"))[0]

        return self._unpacked(wanted, fetch)

    def _unpacked(self, name, fetch):
        folder = self._in("sources", name)
        if not os.path.isdir(folder):
            os.makedirs(self._in("fetched"), exist_ok=True)
            with tarfile.open(fetch()) as archive:
                archive.extractall(folder + ".new", filter="data")
            os.rename(folder + ".new", folder)
        return folder

    def texts(self):
        """(kind, language, text): manual pages, tutors, dictionaries."""
        vim = self.packages(["vim-runtime"])["vim-runtime"]
        for language in TUTORS:
            with open(f"{vim}/usr/share/vim/vim90/tutor/tutor.{language}.utf-8", encoding="utf-8") as file:
                yield "tutors", language, file.read()
        manuals = self.packages(["manpages-" + language for language in MANUALS])
        for language in MANUALS:
            pages = sorted(glob.glob(manuals["manpages-" + language] + "/usr/share/man/*/man*/*.gz"))
            # Some languages have thousands.
            step = max(1, len(pages) // 150)
            yield "manuals", language, "\n".join(filter(None, map(_page, pages[::step])))
        packages = self.packages(list(DICTIONARIES.values()))
        for language, name in DICTIONARIES.items():
            yield "dictionaries", language, _words(packages[name], language)


def _run(command, folder):
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _page(path):
    """A manual page without its markup."""
    with gzip.open(path, "rb") as file:
        data = file.read()
    try:
        page = data.decode()
    except UnicodeDecodeError:
        return ""
    lines = []
    for line in page.splitlines():
        if re.match(r"""[.']\s*\\["#]|[.'](de|ds|nr|if|ie|el|so|TH|tr|ft|ig)\b|'\\"|\.\.""", line):
            continue
        line = re.sub(r"^[.'] *[A-Za-z]{1,3}\b *", "", line)
        line = re.sub(r"\\f(\[\w*\]|\(..|.)|\\[&,/|^:%]|\\s[-+]?\d", "", line)
        line = line.replace(r"\-", "-").replace(r"\(aq", "'").replace(r"\(bu", "*").replace(r"\e", "\\")
        lines.append(line.replace(r"\ ", " "))
    return "\n".join(lines)


def _words(folder, language):
    """The words of a dictionary, one per line, in random order."""
    (path, *_) = sorted(
        glob.glob(folder + "/usr/share/hunspell/*.dic") + glob.glob(folder + "/usr/share/dict/*"),
        key=lambda path: ("Latn" in path, "valencia" in path, path),
    )
    with open(path, "rb") as file:
        data = file.read()
    names = ["utf-8"]
    with_affixes = path.replace(".dic", ".aff")
    if os.path.exists(with_affixes):
        with open(with_affixes, "rb") as file:
            said = re.search(rb"^SET\s+(\S+)", file.read(), re.M)
        names = [said.group(1).decode()] if said else names
    elif path.endswith("faroese"):
        names = ["utf-8", "iso-8859-1"]
    for name in names:
        try:
            text = data.decode(name)
            break
        except UnicodeDecodeError:
            text = data.decode("iso-8859-1")
    words = [re.split(r"[/\t ]", line)[0] for line in text.splitlines()[1:]]
    words = sorted({word for word in words if word and not word.startswith(("#", "-"))})
    random.Random(language).shuffle(words)
    return unicodedata.normalize("NFC", "\n".join(words[:40000]))
