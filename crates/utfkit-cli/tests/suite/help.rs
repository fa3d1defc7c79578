//! Help, version, list of encodings, completions and manual pages.

use std::process::Command;

use crate::common::Place;
use serde_json::Value;

/// The subcommands listed by `--help`.
fn subcommands(place: &Place) -> Vec<String> {
    let help = place.run(&["--help"]);
    let lines = help.out().lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<_> = lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect();
    assert!(names.len() >= 7, "{names:?}");
    names
}

/// True if `program` is installed; otherwise prints a message.
fn is_here(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no {program}");
    }
    found
}

#[test]
fn each_subcommand_has_examples_and_fits() {
    let place = Place::new();
    for name in subcommands(&place) {
        let help = place.run(&[&name, "--help"]);
        assert_eq!((help.status, help.err.as_str()), (0, ""));
        assert!(help.out().contains("\nExamples:\n  "), "{name}");
        for line in help.out().lines() {
            assert!(line.is_ascii() && line.len() <= 100, "{name}: {line}");
        }
        assert_eq!(place.run(&["help", &name]).out(), help.out(), "{name}");
        assert!(place.run(&[&name, "-h"]).out().contains("\nExamples:\n  "), "{name}");
    }
}

#[test]
fn without_arguments_the_help_is_no_data() {
    let place = Place::new();
    let ran = place.run(&[]);
    assert_eq!((ran.status, ran.out()), (2, ""));
    assert!(ran.err.contains("Usage: utfkit") && ran.err.contains("Examples:"), "{}", ran.err);
    assert!(!ran.err.contains('\x1b'));
    assert_eq!(place.run(&["--help"]).err, "");
}

#[test]
fn a_slip_is_answered_with_what_was_meant() {
    let place = Place::new();
    place.file("a file", "");
    for (wrong, advice) in [
        (&["chekc", "a"][..], "'check'"),
        (&["inspcet"], "'inspect'"),
        (&["check", "--encodng", "UTF-8"], "'--encoding'"),
        (&["inspect", "--range", "5"], "A..+1"),
        (&["inspect", "--range", "9..3"], "9..+N"),
        (&["inspect", "--max", "x"], "write a number such as 40"),
        (&["a file"], "try `utfkit check a file`"),
        (&["inspect", "--encoding", "utf-9"], "did you mean `UTF-8`?"),
        (&["completions", "tcsh"], "possible values: bash, elvish, fish, powershell, zsh"),
        (&["completions"], "<SHELL>"),
    ] {
        let ran = place.run(wrong);
        assert_eq!((ran.status, ran.out()), (2, ""), "{wrong:?}");
        assert!(ran.err.contains(advice), "{wrong:?}: {}", ran.err);
    }
}

#[test]
fn the_version_says_what_a_bug_report_needs() {
    let place = Place::new();
    let version = format!("utfkit {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(place.run(&["--version"]).out(), version);
    assert_eq!(place.run(&["-V"]).out(), version);
    let verbose = place.run(&["--version", "--verbose"]);
    for line in
        ["instruction sets: scalar", "in use: ", "target: ", "encodings: ", "Unicode: names of 17.0, scripts of "]
    {
        assert!(verbose.out().contains(&format!("\n{line}")), "{line}: {}", verbose.out());
    }
    assert!(place.run(&["-V", "-v", "--isa", "scalar"]).out().contains("\nin use: scalar\n"));
}

#[test]
fn the_list_is_lines_for_pipes_and_objects_for_programs() {
    let place = Place::new();
    let plain = place.run(&["list"]);
    assert!(plain.out().starts_with("UTF-8 csUTF8 utf8 u8 "), "{}", plain.out());
    assert!(plain.lines().iter().all(|line| !line.contains("  ") && line.trim() == *line));
    let objects: Vec<Value> =
        place.run(&["list", "--jsonl"]).lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), plain.lines().len());
    for (line, object) in plain.lines().iter().zip(&objects) {
        let aliases = object["aliases"].as_array().unwrap().iter().map(|alias| alias.as_str().unwrap());
        let words: Vec<_> = [object["name"].as_str().unwrap()].into_iter().chain(aliases).collect();
        assert_eq!(*line, words.join(" "));
    }
    assert_eq!(place.run(&["convert", "--list"]).out(), plain.out());
    let Some((status, text)) = place.on_a_terminal("C.UTF-8", r#""$UTFKIT" list"#) else { return };
    let labelled =
        text.lines().filter(|line| line.split_whitespace().nth(1).is_some_and(|label| label.starts_with("csUTF")));
    let second: Vec<_> = labelled.map(|line| line.find("csUTF")).collect();
    assert!(status == 0 && second.len() > 5 && second.iter().all(|at| *at == second[0]), "{text}");
}

#[test]
fn completions_are_scripts_that_shells_read() {
    let place = Place::new();
    let names = subcommands(&place);
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute"), ("powershell", ""), ("elvish", "")]
    {
        let script = place.run(&["completions", shell]);
        assert_eq!((script.status, script.err.as_str()), (0, ""));
        for name in &names {
            assert!(script.out().contains(name.as_str()), "{shell}: {name}");
        }
        if !check.is_empty() && is_here(shell) {
            let file = place.file(shell, &script.out);
            let ran = Command::new(shell).arg(check).arg(file).output().unwrap();
            assert!(ran.status.success() && ran.stderr.is_empty(), "{shell}: {ran:?}");
        }
    }
}

#[test]
fn bash_completes_subcommands_and_encodings() {
    let place = Place::new();
    if !is_here("bash") {
        return;
    }
    place.file("utfkit.bash", place.run(&["completions", "bash"]).out);
    for (words, expected) in [
        (r#"utfkit insp"#, "inspect"),
        (r#"utfkit convert --from-code Shift"#, "Shift_JIS"),
        (r#"utfkit inspect --encoding ISO-8859-1"#, "ISO-8859-15"),
        (r#"utfkit convert --from-code shift"#, "Shift_JIS"),
        (r#"utfkit check -f windows-125"#, "windows-1252"),
        (r#"utfkit check -f WINDOWS-125"#, "windows-1252"),
        (r#"utfkit convert -f au"#, "auto"),
        (r#"utfkit convert --from-code AU"#, "auto"),
    ] {
        let line = format!(
            "source ./utfkit.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _utfkit utfkit \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let ran = Command::new("bash").current_dir(place.path()).args(["-c", &line]).output().unwrap();
        let replies = String::from_utf8(ran.stdout).unwrap();
        assert!(replies.lines().any(|reply| reply == expected), "{words}: {replies}");
    }
}

/// Typed text, and the expected completion.
const COMPLETED: [(&str, &str); 9] = [
    ("utfkit insp", "inspect"),
    ("utfkit convert --from-code shift", "Shift_JIS"),
    ("utfkit convert --from-code SHIFT", "Shift_JIS"),
    ("utfkit convert --to-code=euc-k", "EUC-KR"),
    ("utfkit convert -f au", "auto"),
    ("utfkit convert -f AU", "auto"),
    ("utfkit check -f koi8-r", "KOI8-R"),
    ("utfkit inspect --encoding WINDOWS-1252", "windows-1252"),
    ("utfkit convert --trust lik", "likely"),
];

#[test]
fn fish_completes_encodings_in_any_case() {
    let place = Place::new();
    if !is_here("fish") {
        return;
    }
    place.file("utfkit.fish", place.run(&["completions", "fish"]).out);
    for (typed, expected) in COMPLETED {
        let line = format!("source utfkit.fish; complete --do-complete '{typed}'");
        let mut fish = Command::new("fish");
        let ran = fish.current_dir(place.path()).env("HOME", place.path()).args(["--no-config", "-c", &line]);
        let replies = String::from_utf8(ran.output().unwrap().stdout).unwrap();
        let is_offered = |reply: &str| reply.split('\t').next().is_some_and(|word| word.ends_with(expected));
        assert!(replies.lines().any(is_offered), "{typed}: {replies}");
    }
}

/// Runs zsh on a pseudo-terminal; a key prints the completed line.
const ZSH: &str = r#"
zmodload zsh/zpty || exit 3
zpty shell zsh -f -i
zpty -w shell 'bindkey -e; PS1=; autoload -Uz compinit; compinit -u -D; source ./_utfkit; unsetopt beep
    show() { print -r -- "LINE<$BUFFER>" }; zle -N show; bindkey "^T" show; print REA""DY'
while zpty -r shell line; do [[ $line == *READY* ]] && break; done
for typed; do
    zpty -w -n shell "$typed"$'\t\x14\x15'
    while zpty -r shell line; do [[ $line == *"LINE<"* ]] && break; done
    print -r -- ${${line#*LINE<}%%>*}
done
zpty -d shell
"#;

#[test]
fn zsh_completes_encodings_in_any_case() {
    let place = Place::new();
    if !is_here("zsh") {
        return;
    }
    place.file("_utfkit", place.run(&["completions", "zsh"]).out);
    let mut zsh = Command::new("zsh");
    zsh.current_dir(place.path()).env("HOME", place.path()).args(["-f", "-c", ZSH, "zsh"]);
    let ran = zsh.args(COMPLETED.map(|(typed, _)| typed)).output().unwrap();
    if ran.status.code() == Some(3) {
        println!("skipped: zsh has no module zpty");
        return;
    }
    let replies = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(replies.lines().count(), COMPLETED.len(), "{replies}");
    for ((typed, expected), reply) in COMPLETED.into_iter().zip(replies.lines()) {
        assert!(reply.trim_end().ends_with(expected), "{typed}: {reply}");
    }
}

#[test]
fn manual_pages_are_pages() {
    let place = Place::new();
    let main = place.run(&["man"]);
    place.run(&["man", "--output", "new/man1"]).is_silent_success();
    assert_eq!(place.read("new/man1/utfkit.1"), main.out);
    for name in subcommands(&place) {
        let page = String::from_utf8(place.read(&format!("new/man1/utfkit-{name}.1"))).unwrap();
        let title = format!(".TH \"UTFKIT\\-{}\" \"1\" \"\" \"utfkit ", name.to_uppercase());
        assert!(page.starts_with(&title), "{page}");
        assert!(page.contains(".SH \"EXAMPLES\"\n") && page.contains("\\-\\-color"), "{page}");
        assert!(main.out().contains(&format!("utfkit\\-{name}(1)")), "{name}");
    }
    if is_here("groff") {
        for name in ["utfkit", "utfkit-check", "utfkit-convert", "utfkit-inspect"] {
            let ran = Command::new("groff")
                .args(["-man", "-Tascii", "-ww"])
                .arg(place.path().join(format!("new/man1/{name}.1")))
                .output()
                .unwrap();
            assert!(ran.status.success() && ran.stderr.is_empty(), "{}", String::from_utf8_lossy(&ran.stderr));
        }
    }
    place.file("file", "");
    let failed = place.run(&["man", "--output", "file"]);
    assert!(failed.status == 2 && failed.err.starts_with("utfkit: file: cannot create the folder: "), "{}", failed.err);
}

#[test]
fn the_short_help_of_check_fits_a_screen() {
    let place = Place::new();
    for columns in ["80", "100"] {
        let short = place.command(&["check", "-h"]).env("COLUMNS", columns).output().unwrap();
        let short = crate::common::Ran::from(short);
        assert!((24..=40).contains(&short.lines().len()), "{columns}: {}", short.out());
        assert!(short.lines().iter().all(|line| line.len() <= columns.parse().unwrap()), "{columns}: {}", short.out());
    }
    let (short, long) = (place.run(&["check", "-h"]), place.run(&["check", "--help"]));
    assert!(long.lines().len() > 2 * short.lines().len());
    for option in ["--files0-from", "--standard", "--max-errors", "--max-depth", "--follow", "--color", "--threads"] {
        assert!(long.out().contains(option) && !short.out().contains(option), "{option}");
    }
}

#[test]
fn the_words_are_those_that_people_look_for() {
    let place = Place::new();
    let mut all = place.run(&["--help"]).out().to_owned();
    for name in subcommands(&place) {
        all += place.run(&[&name, "--help"]).out();
    }
    for (subcommand, words) in [
        ("check", &["BOM", "byte order mark", "CRLF", "Mojibake", "Trojan Source", "NFC", "Normalization Form C"][..]),
        ("convert", &["BOM", "byte order mark"]),
        ("repair", &["mojibake"]),
        ("detect", &["BOM"]),
        ("report", &["BOM", "CRLF"]),
    ] {
        let help = place.run(&[subcommand, "--help"]);
        for word in words {
            assert!(help.out().to_lowercase().contains(&word.to_lowercase()), "{subcommand}: {word}");
        }
    }
    for word in ["clause", "killed run", "tabulator"] {
        assert!(!all.contains(word), "{word}");
    }
}

#[test]
fn a_flag_means_the_same_in_every_subcommand() {
    let place = Place::new();
    place.file("a", b"gr\xFC\xDFe\n");
    for args in [
        &["check", "-f", "latin1", "a"][..],
        &["check", "--encoding", "latin1", "a"],
        &["check", "--from-code=latin1", "a"],
        &["count", "-f", "latin1", "a"],
        &["inspect", "-f", "latin1", "a"],
        &["inspect", "--from", "latin1", "a"],
        &["convert", "-f", "latin1", "a"],
        &["convert", "--encoding", "latin1", "a"],
    ] {
        assert_eq!(place.run(args).status, 0, "{args:?}");
    }
    for flag in ["-q", "-s", "--quiet", "--silent"] {
        for args in [
            &["check", flag, "a"][..],
            &["convert", flag, "a"],
            &["repair", flag, "--in-place", "--fallback", "latin1", "a"],
        ] {
            assert_eq!(place.run(args).err, "", "{args:?}");
        }
        place.file("a", b"gr\xFC\xDFe\n");
    }
}

#[test]
fn a_manual_page_names_values_and_every_option() {
    let place = Place::new();
    place.run(&["man", "--output", "man1"]).is_silent_success();
    let page = String::from_utf8(place.read("man1/utfkit-check.1")).unwrap();
    let synopsis = page.split(".SH SYNOPSIS\n").nth(1).unwrap().lines().next().unwrap();
    for part in [
        "\\fButfkit check\\fR",
        "[\\fB\\-\\-files0\\-from\\fR \\fIFILE\\fR]",
        "[\\fB\\-f\\fR|\\fB\\-\\-encoding\\fR \\fINAME\\fR]",
        "[\\fB\\-\\-changed\\fR[=\\fIBASE\\fR]]",
        "\\fI[PATH]\\fR...",
    ] {
        assert!(synopsis.contains(part), "{part}: {synopsis}");
    }
    let options = page.split(".SH OPTIONS\n").nth(1).unwrap();
    assert!(options.contains("Read the names of files from FILE") && options.contains("crlf: CRLF"), "{options}");
}
