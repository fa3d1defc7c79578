#!/usr/bin/env python3
"""Renames trees of names that are legacy, encoded twice or decomposed, and judges what they became.

    cargo build --release -p utfkit-cli
    python3 bench/detect/names.py FOLDER                  # 10,000 names, a row for each kind; convmv beside it
    python3 bench/detect/names.py FOLDER --seed 2         # other names
    python3 bench/detect/names.py FOLDER --names 100000   # more of them
    python3 bench/detect/names.py FOLDER --program PATH   # this utfkit
    python3 bench/detect/names.py FOLDER --trust likely   # renames more
    python3 bench/detect/names.py FOLDER --wrong          # each name that became a wrong one

Makes "archives" by a seed below FOLDER: folders in folders, all names of an archive of one kind, and in some
archives a fifth of the names in UTF-8. Runs `utfkit names --yes --nfc` on all of them together, without a
word on what they are; then once more, which must change nothing; then `utfkit undo`, which must give the same
tree. A file holds its number, by which it is found again. A name is "right" if it is the one that was meant,
"untouched" if it has the bytes that it had, and else "wrong".

convmv cannot tell an encoding. It is run on each archive by itself with the encoding that the archive was
made in: `-f ENCODING -t utf8`; `-f utf8 -t cp1252 --fixdouble` for names that were encoded twice; and `-f utf8
-t utf8 --nfc` for decomposed ones. Times are the processor's, of all runs together.
"""

import argparse
import collections
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata

from judge import TARGET

# Words by language, and the encodings that names in it are found in.
WORDS = {
    "ru": (
        "cp1251 koi8_r cp866",
        "Лучшие песни года|Москва зимой|фотографии|отпуск|Новая папка|документы|отчёт|Договор аренды|квартира|"
        "Счёт на оплату|Приложение|письмо|Красная площадь|Высоцкий|концерт|сборник|Чёрный ворон|лекция|история",
    ),
    "ja": (
        "shift_jis euc_jp",
        "東京の写真|新しいフォルダ|報告書|日本語ファイル|会議の資料|契約書|夏休み|京都旅行|動画ファイル|音楽集|領収書|"
        "請求書|見積書|説明書|年賀状|ゲームデータ|思い出|お知らせ|名簿|家計簿",
    ),
    "zh": (
        "gb18030",
        "新建文件夹|我的照片|工作报告|会议记录|北京旅游|合同文本|使用说明|音乐收藏|电影下载|财务报表|学习资料|毕业论文|"
        "个人简历|通讯录|目录|庐山|备份|成绩单",
    ),
    "ko": ("euc_kr", "새폴더|사진|보고서|회의록|계약서|여름휴가|음악|동영상|서울여행|영수증|이력서|졸업논문|알림|일기"),
    "de": (
        "cp1252 cp850",
        "Größe|Übersicht|Straße|Müller|Prüfung|Änderung|Käse|Geschäftsführer|Böhm|Küche|schöne Grüße|Bäckerei|"
        "Jürgen|Fußball|Vertragsänderung|Gebühren|März|für Oma",
    ),
    "fr": (
        "cp1252 mac_roman",
        "été|facture réglée|réunion|déjà vu|élève|forêt|café crème|hôtel|Noël|château|protégé|pièce jointe|"
        "Français|modèle|résumé|à classer|crêpes|Île de Ré",
    ),
    "pl": (
        "cp1250 iso8859_2",
        "zażółć|gęślą|jaźń|Łódź|umowa najęcia|zdjęcia|święta|łąka|ćwiczenia|książka|żółw|pożyczka|wrzesień|"
        "październik|rękopis|źródło|piosenki o miłości",
    ),
    "el": (
        "cp1253",
        "Αθήνα|φωτογραφίες|έγγραφα|Νέος φάκελος|τραγούδια|Ελλάδα|καλοκαίρι|διακοπές|λογαριασμός|συμβόλαιο|"
        "ημερολόγιο|συνταγές",
    ),
}
ENDINGS = ("", "", ".txt", ".mp3", ".jpg", ".doc", ".pdf", ".xls")
TWICE = ("de", "fr", "ru", "pl")
NUMBER = ".number"  # hidden, so that no run touches it

Name = collections.namedtuple("Name", "text raw kind")
Ran = collections.namedtuple("Ran", "seconds most said")


class Maker:
    def __init__(self, seed):
        self.source = random.Random(seed)
        self.names = []

    def name(self, language, kind):
        """One name of `language`, or None if `kind` cannot spell it."""
        text = " ".join(self.source.choice(WORDS[language][1].split("|")) for _ in range(self.source.choice((1, 1, 2))))
        text += self.source.choice(("", "", f" {self.source.randrange(200)}", f"_{self.source.randrange(1990, 2026)}"))
        text += self.source.choice(ENDINGS)
        try:
            raw = spelled(text, kind)
        except UnicodeError:
            return None
        # A byte of a character must be no separator, and the right name must be possible too.
        return Name(text, raw, kind) if len(raw) <= 240 and b"/" not in raw and len(text.encode()) <= 240 else None

    def fill(self, folder, language, kinds, count):
        """Makes about `count` names in `folder`, some of them folders."""
        while count > 0:
            kind = kinds[0] if len(kinds) == 1 or self.source.random() < 0.8 else kinds[1]
            name = self.name(language, kind)
            path = name and os.path.join(folder, name.raw)
            if not name or os.path.lexists(path) or name.text in self.taken.setdefault(folder, set()):
                count -= not name
                continue
            self.taken[folder].add(name.text)
            number = len(self.names)
            self.names.append(name)
            count -= 1
            if count > 4 and len(path) < 2000 and self.source.random() < 0.08:
                os.mkdir(path)
                marked(os.path.join(path, NUMBER.encode()), number)
                below = self.source.randrange(1, min(count, 60))
                self.fill(path, language, kinds, below)
                count -= below
            else:
                marked(path, number)

    def tree(self, root, total):
        """Makes archives, and returns (folder, kinds) of each."""
        archives, self.taken = [], {}
        os.makedirs(root)
        while len(self.names) < total:
            language = self.source.choice(list(WORDS))
            encodings = WORDS[language][0].split()
            kinds = [self.source.choice([self.source.choice(encodings)] * 7 + ["NFD", "twice", "UTF-8"])]
            if kinds == ["twice"] and language not in TWICE or kinds == ["NFD"] and language in ("zh", "ru"):
                kinds = ["UTF-8"]
            if kinds[0] in encodings and self.source.random() < 0.1:
                kinds.append("UTF-8")
            folder = os.path.join(root, b"archive%05d" % len(archives))
            os.mkdir(folder)
            count = self.source.choice((2, 4, 8, 20, 20, 60, 60, 150))
            self.fill(folder, language, kinds, min(count, total - len(self.names)))
            archives.append((folder, kinds))
        return archives


def spelled(text, kind):
    if kind == "UTF-8":
        return text.encode()
    if kind == "NFD":
        return unicodedata.normalize("NFD", text).encode()
    if kind == "twice":
        return text.encode().decode("cp1252").encode()
    return text.encode(kind)


def marked(path, number):
    with open(path, "w") as file:
        file.write(str(number))


def found(root):
    """The names in the tree, by number."""
    names = {}
    for folder, folders, files in os.walk(root):
        for name in files:
            with open(os.path.join(folder, name)) as file:
                number = int(file.read())
            names[number] = os.path.basename(folder) if name == NUMBER.encode() else name
    return names


def paths(root):
    return sorted(os.path.join(folder, name) for folder, folders, files in os.walk(root) for name in folders + files)


def run(commands, folder="."):
    """What commands cost that are run one after the other, and what the last one says on standard error."""
    seconds = most = 0
    for command in commands:
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read().decode(errors="replace").strip()
        seconds += used.ru_utime + used.ru_stime
        most = max(most, used.ru_maxrss / 1024)
    return Ran(seconds, most, text)


def convmv(archives):
    """The commands for archives, whose encodings they are told."""
    encodings = {"cp850": "cp850", "cp866": "cp866", "mac_roman": "MacRoman", "gb18030": "gbk", "koi8_r": "koi8-r"}
    for folder, (kind, *_) in archives:
        if kind == "UTF-8":
            continue
        said = {"NFD": ["-f", "utf8", "-t", "utf8", "--nfc"], "twice": ["-f", "utf8", "-t", "cp1252", "--fixdouble"]}
        options = said.get(kind) or ["-f", encodings.get(kind, kind.replace("_", "-")), "-t", "utf8"]
        yield ["convmv", "-r", "--notest", *options, folder]


def judged(maker, after):
    rows = collections.defaultdict(collections.Counter)
    wrong = []
    for number, name in enumerate(maker.names):
        now = after.get(number)
        if now == name.text.encode():
            word = "right"
        elif now == name.raw:
            word = "untouched"
        else:
            word = "wrong"
            wrong.append((name.kind, name.raw, now, name.text))
        rows[name.kind][word] += 1
    return rows, wrong


def report(title, rows, cost, wrong, is_wanted):
    words = ("right", "untouched", "wrong")
    print(f"\n{title}: {cost.seconds:.1f} s of processor time, at most {cost.most:.0f} MiB")
    for kind in sorted(rows):
        print(f"  {kind:10}", *(f"{rows[kind][word]:7} {word}" for word in words))
    total = sum(rows.values(), collections.Counter())
    share = 100 - 100 * total["wrong"] / sum(total.values())
    print(f"  {'all':10}", *(f"{total[word]:7} {word}" for word in words), f" right or untouched {share:.2f} %")
    for kind, raw, now, text in wrong if is_wanted else ():
        print(f"    {kind}: {raw!r} became {now and now.decode(errors='backslashreplace')!r}; right is {text!r}")
    return share


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("--names", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--trust", default="nearly-certain")
    arguments.add_argument("--program", default=os.path.join(TARGET, "release", "utfkit"))
    arguments.add_argument("--wrong", action="store_true")
    wanted = arguments.parse_args()
    program = os.path.abspath(wanted.program)

    top = os.path.join(os.path.abspath(wanted.folder), "names").encode()
    shutil.rmtree(top, ignore_errors=True)
    maker = Maker(wanted.seed)
    root = os.path.join(top, b"tree")
    archives = maker.tree(root, wanted.names)
    before, was = found(root), paths(root)
    kinds = {name.kind for name in maker.names}
    print(f"{len(maker.names)} names in {len(archives)} archives, {len(kinds)} kinds; seed {wanted.seed}")

    os.environ["XDG_STATE_HOME"] = os.path.join(top, b"state").decode()
    names = [program, "names", "--nfc", "--trust", wanted.trust]
    cost = run([[*names, "--yes", root]])
    rows, wrong = judged(maker, found(root))
    failures = report("utfkit", rows, cost, wrong, wanted.wrong) < 99.9
    print(" ", cost.said.replace("\n", "\n  "))
    again = run([[*names, root]])
    idle = re.search(r"\b0 names to change", again.said) is not None
    print(f"  a second run: {again.said}")
    undone = run([[program, "undo"]], root)
    back = paths(root) == was and found(root) == before
    print(f"  undo: {undone.said}; {undone.seconds:.1f} s; the same tree: {back}")
    failures += (not idle) + (not back)

    if shutil.which("convmv"):
        commands = list(convmv(archives))
        cost = run(commands)
        rows, wrong = judged(maker, found(root))
        report(f"convmv, {len(commands)} runs, told each encoding", rows, cost, wrong, wanted.wrong)
    else:
        print("\nconvmv is not installed")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
