//! Keyed sums, KMAC and HKDF, and the sources of their keys. The results are compared with published values and with
//! other programs.

use crate::common;

use common::{Folder, assert_ran, stderr, stdout};
use std::io::Write;
use std::process::{Output, Stdio};

/// The key of BLAKE3's own test vectors.
const KEY: &str = "whats the Elvish word for friend";
const CONTEXT: &str = "BLAKE3 2019-12-27 16:29:52 test vectors context";
const KEYED: &str = "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26";
const DERIVED: &str = "2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("key", KEY);
    folder.write("empty", "");
    folder.write("abc", "abc");
    folder
}

fn with_stdin(folder: &Folder, input: &[u8], args: &[&str]) -> Output {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that rejects its options does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

#[test]
fn keyed_and_derived_blake3_are_the_published_ones() {
    let folder = folder();
    let keyed = folder.hashwell(["sum", "-a", "blake3", "--keyed", "--key-file", "key", "empty"]);
    assert_ran(&keyed, 0, &format!("{KEYED}  empty\n"), "");
    let derived = folder.hashwell(["sum", "-a", "blake3", "--derive-key", CONTEXT, "empty"]);
    assert_ran(&derived, 0, &format!("{DERIVED}  empty\n"), "");
    let json = folder.hashwell(["sum", "-a", "b3", "--json", "--derive-key", CONTEXT, "empty"]);
    assert!(stdout(&json).contains(&format!("\"derive_key\":\"{CONTEXT}\"")), "{}", stdout(&json));
}

/// If a list states parameters and is checked without them, the message says so instead of reporting mismatches.
#[test]
fn lists_that_need_a_parameter_say_so() {
    let folder = folder();
    let checked = |list: &str, options: &[&str]| folder.hashwell([&["sum", "-c"], options, &[list]].concat());
    for options in [
        &["-a", "blake3", "--keyed", "--key-file", "key"][..],
        &["-a", "blake3", "--derive-key", CONTEXT],
        &["-a", "blake2b", "--salt-hex", "00ff", "--last-node"],
    ] {
        let made = [&["sum", "--json"], options, &["abc"]].concat();
        folder.write("list", folder.hashwell(made).stdout);
        let needed: Vec<&str> =
            options[2..].iter().copied().filter(|option| option.starts_with("--")).collect();
        let needed = match needed[..] {
            [first, "--key-file"] => first.to_owned(),
            [only] => only.to_owned(),
            _ => "--salt and --last-node".to_owned(),
        };
        let message = format!(
            "hashwell: list: the digests were made with {needed}; use the same options to check them\n"
        );
        assert_ran(&checked("list", &[]), 1, "", &message);
        assert_ran(&checked("list", &options[2..]), 0, "abc: OK\n", "");
    }
}

/// All parameters of BLAKE2 give the same results as hashlib, and so do the parameters of output streams.
#[test]
fn parameters_are_hashlibs() {
    let folder = folder();
    let program = "import hashlib\nprint(hashlib.blake2b(open('abc', 'rb').read(), salt=b'\\0s', person=b'p', \
                   fanout=2, depth=3, leaf_size=4, node_offset=5, node_depth=1, inner_size=6, last_node=True)\
                   .hexdigest() + '  abc')";
    let Some(theirs) = folder.tool("python3", ["-c", program]) else { return };
    let ours = folder.hashwell([
        "sum",
        "-a",
        "blake2b",
        "--salt-hex",
        "0073",
        "--personalization",
        "p",
        "--fanout",
        "2",
        "--depth",
        "3",
        "--leaf-size",
        "4",
        "--node-offset",
        "5",
        "--node-depth",
        "1",
        "--inner-size",
        "6",
        "--last-node",
        "abc",
    ]);
    assert_ran(&ours, 0, &stdout(&theirs), "");
    for (args, message) in [
        (
            &["sum", "-a", "sha1", "--salt", "s"][..],
            "--salt is supported by blake2b-256, blake2b-512, blake2s-256, not by sha1",
        ),
        (&["sum", "-a", "blake2b", "--fanout", "256"], "blake2b-512: fanout must be 0 to 255, not 256"),
        (
            &["sum", "-a", "blake2b", "--salt-hex", "0"],
            "--salt-hex must be an even number of hexadecimal digits",
        ),
        (&["xof", "-a", "turboshake128", "-n1", "--domain", "300"], "domain byte must be 1 to 127, not 300"),
    ] {
        let refused = folder.hashwell(args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        assert!(stderr(&refused).contains(message), "{}", stderr(&refused));
    }
    let keyed = ["xof", "-a", "blake3", "-n", "32", "--keyed", "--key-file", "key", "empty"];
    assert_ran(&folder.hashwell(keyed), 0, &format!("{KEYED}\n"), "");
    let derived = ["xof", "-a", "blake3", "-n", "32", "--derive-key", CONTEXT, "empty"];
    assert_ran(&folder.hashwell(derived), 0, &format!("{DERIVED}\n"), "");
}

#[test]
fn keyed_blake2_is_hashlibs() {
    let folder = folder();
    folder.write("large", vec![7; 300_000]);
    let program = format!(
        "import hashlib\nfor f in ('abc', 'large'):\n    data = open(f, 'rb').read()\n    \
         print(hashlib.blake2b(data, key=b'{KEY}', digest_size=20).hexdigest() + '  ' + f)\n    \
         print(hashlib.blake2s(data, key=b'{KEY}').hexdigest() + '  ' + f)"
    );
    let Some(theirs) = folder.tool("python3", ["-c", &program]) else { return };
    let ours = |options: &[&str]| {
        let args = [&["sum", "--keyed", "--key-file", "key"], options, &["abc", "large"]].concat();
        stdout(&folder.hashwell(args))
    };
    let (b, s) = (ours(&["-a", "blake2b", "-l", "160"]), ours(&["-a", "blake2s"]));
    let together: String = b.lines().zip(s.lines()).map(|(b, s)| format!("{b}\n{s}\n")).collect();
    assert_eq!(together, stdout(&theirs));
}

/// Keyed sums of small files (hashed together) and of large files (hashed separately) are those of the library, and can
/// be checked.
#[test]
fn keyed_sums_are_the_librarys_and_check() {
    let folder = folder();
    let names: Vec<String> = (0..50).map(|i| format!("d/{i}")).collect();
    for (i, name) in names.iter().enumerate() {
        folder.write(name, vec![i as u8; if i % 20 == 0 { 200_000 } else { i }]);
    }
    let key = ["--keyed", "--key-file", "key"];
    for algorithm in ["blake2b", "blake2b-256", "blake2bp", "blake2s", "blake2sp", "blake3"] {
        let summed = folder.hashwell([&["sum", "-r", "--tag", "-a", algorithm], &key[..], &["d"]].concat());
        let row = hashwell::find(algorithm).unwrap();
        let params = hashwell::Params { key: Some(KEY.as_bytes()), ..Default::default() };
        for line in stdout(&summed).lines() {
            let name = &line[line.find('(').unwrap() + 1..line.find(')').unwrap()];
            let mut hasher = row.build(&params).unwrap();
            hasher.update(&std::fs::read(folder.path().join(name)).unwrap());
            assert!(line.ends_with(&hex(&hasher.digest())), "{line}");
        }
        folder.write("list", &summed.stdout);
        let checked = folder.hashwell([&["sum", "-c", "--strict", "--quiet"], &key[..], &["list"]].concat());
        assert_ran(&checked, 0, "", "");
        let other =
            ["--keyed", "--key-hex", "00000000000000000000000000000000000000000000000000000000000000ff"];
        let checked = folder.hashwell([&["sum", "-c", "--status"], &other[..], &["list"]].concat());
        assert_ran(&checked, 1, "", "");
        let checked = folder.hashwell(["sum", "-c", "--status", "list"]);
        assert_eq!(checked.status.code(), Some(1), "without its key nothing is right");
    }
    // The algorithm is taken from the list, so the list is rejected, not the command line.
    folder.write("list", folder.hashwell(["sum", "--tag", "abc"]).stdout);
    let checked = folder.hashwell([&["sum", "-c"], &key[..], &["list"]].concat());
    let takers = "blake2b-256, blake2b-512, blake2bp-512, blake2s-256, blake2sp-256, blake3";
    assert_ran(
        &checked,
        1,
        "",
        &format!("hashwell: list: --keyed is supported by {takers}, not by sha256\n"),
    );
}

#[test]
fn digests_without_names() {
    let folder = folder();
    let lines = |options: &[&str]| stdout(&folder.hashwell([&["sum", "--no-names"], options].concat()));
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(lines(&["abc", "empty"]), format!("{abc}\n{empty}\n"));
    assert_eq!(lines(&["-z", "abc"]), format!("{abc}\0"));
    assert!(lines(&["--sri", "abc"]).starts_with("sha256-ungWv48"));
    // With `--no-names`, nothing of a name is printed, not even the mark of an escape.
    folder.write("new\nline", "abc");
    assert_eq!(lines(&["new\nline"]), format!("{abc}\n"));
    let two = folder.hashwell(["sum", "--no-names", "-a", "sha1", "-a", "sha256", "abc"]);
    assert_ran(&two, 2, "", "hashwell: --no-names requires exactly one algorithm\n");
}

#[test]
fn keys_come_from_files_hexadecimal_variables_and_standard_input() {
    let folder = folder();
    let hex_key = hex(KEY.as_bytes());
    let mac: [(&str, &[&str]); 4] = [
        ("hmac", &["-a", "sha256"]),
        ("kmac", &["-a", "kmac128"]),
        ("hkdf", &["-a", "sha256", "-n", "9"]),
        ("sum", &["-a", "blake3", "--keyed"]),
    ];
    for (command, options) in mac {
        let file: &[&str] = if command == "hkdf" { &[] } else { &["abc"] };
        let args = |key: &[&'static str]| [&[command], options, key, file].concat();
        let expected = folder.hashwell(args(&["--key-file", "key"]));
        assert!(expected.status.success() && !expected.stdout.is_empty(), "{command}: {}", stderr(&expected));
        let given = [&[command], options, &["--key-hex", &hex_key], file].concat();
        assert_eq!(folder.hashwell(given).stdout, expected.stdout, "{command}");
        let mut variable = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let variable = variable.args(args(&["--key-env", "SOME_KEY"])).env("SOME_KEY", KEY).output().unwrap();
        assert_eq!(variable.stdout, expected.stdout, "{command}: {}", stderr(&variable));
        let piped = with_stdin(&folder, KEY.as_bytes(), &args(&["--key-file", "-"]));
        assert_eq!(piped.stdout, expected.stdout, "{command}: {}", stderr(&piped));
        let missing = folder.hashwell(args(&["--key-env", "NO_SUCH_KEY"]));
        assert_ran(&missing, 2, "", "hashwell: --key-env: there is no environment variable NO_SUCH_KEY\n");
        // An empty variable or file is a mistake.
        let mut unset = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let unset = unset.args(args(&["--key-env", "SOME_KEY"])).env("SOME_KEY", "").output().unwrap();
        assert_ran(&unset, 2, "", "hashwell: --key-env: SOME_KEY is empty\n");
        let empty = folder.hashwell(args(&["--key-file", "empty"]));
        assert_ran(&empty, 2, "", "hashwell: --key-file: empty is empty\n");
        let explicit = folder.hashwell(args(&["--key-hex", ""]));
        assert_eq!(explicit.status.success(), command != "sum", "{command}: {explicit:?}");
        let both = folder.hashwell(args(&["--key-env", "A", "--key-hex", "00"]));
        assert_eq!((both.status.code(), stderr(&both).lines().count()), (Some(2), 1));
        if command != "hkdf" {
            for data in [&[][..], &["-"], &["abc", "-"]] {
                let refused =
                    with_stdin(&folder, b"k", &[&[command], options, &["--key-file", "-"], data].concat());
                let message = "hashwell: --key-file - reads the key from standard input, so the data must come from a named file\n";
                assert_ran(&refused, 2, "", message);
            }
        }
    }
    let seeded = |args: &[&str]| stdout(&folder.hashwell([&["random", "-n", "9"], args].concat()));
    let piped = with_stdin(&folder, KEY.as_bytes(), &["random", "-n", "9", "--seed-file", "-"]);
    assert_eq!(stdout(&piped), seeded(&["--seed", KEY]));
}

#[test]
fn keys_that_do_not_fit_are_refused_in_one_line() {
    let folder = folder();
    for (args, message) in [
        (
            &["sum", "--keyed", "--key-hex", "00", "abc"][..],
            "--keyed is supported by blake2b-256, blake2b-512, blake2bp-512, blake2s-256, blake2sp-256, blake3, not by sha256",
        ),
        (
            &["sum", "-a", "blake3", "--keyed", "--key-hex", "00", "abc"],
            "blake3: key length must be 32 bytes, not 1",
        ),
        (
            &["sum", "-a", "blake2s", "--derive-key", "c", "abc"],
            "--derive-key is supported by blake3, not by blake2s-256",
        ),
        (&["sum", "-a", "blake3", "--key-hex", "00", "abc"], "a key requires --keyed"),
        (
            &["kmac", "-a", "kmac128", "--key-hex", "00", "-n", "0", "abc"],
            "kmac128: the tag length must be at least 1 byte, not 0",
        ),
        (
            &["kmac", "-a", "kmac128", "--key-hex", "00", "--raw", "abc", "abc"],
            "--raw requires exactly one file",
        ),
        (
            &["hkdf", "-a", "sha256", "--key-hex", "00", "-n", "8161"],
            "sha256: HKDF output length must be 0 to 8160 bytes, not 8161",
        ),
        (
            &["hkdf", "-a", "sha256", "--key-hex", "00", "-n", "15E"],
            "sha256: HKDF output length must be 0 to 8160 bytes, not 17293822569102704640",
        ),
        (
            &["hkdf", "-a", "sha256", "--key-hex", "00", "-n", "1", "--expand"],
            "sha256: HKDF pseudorandom key length must be at least 32 bytes, not 1",
        ),
        (&["hkdf", "-a", "shake128", "--key-hex", "00", "-n", "1"], "shake128 does not support HMAC"),
        (
            &["hkdf", "-a", "sha256", "--key-hex", "00", "-n", "1", "--salt-hex", "0"],
            "--salt-hex must be an even number of hexadecimal digits",
        ),
    ] {
        assert_ran(&folder.hashwell(args), 2, "", &format!("hashwell: {message}\n"));
    }
    let keyed = folder.hashwell(["sum", "--keyed", "-a", "blake3", "abc"]);
    assert!(keyed.status.code() == Some(2) && stderr(&keyed).contains("--key-file"), "{}", stderr(&keyed));
    let huge = folder.hashwell(["kmac", "-a", "kmac128", "--key-hex", "00", "-n", "15E", "abc"]);
    assert_ran(
        &huge,
        1,
        "",
        "hashwell: not enough memory for a tag of 17293822569102704640 bytes (with --xof, the output is not kept \
         in memory)\n",
    );
}

/// NIST's samples for SP 800-185: KMAC 1, 2 and 6, and KMACXOF 1, 3 and 6.
#[test]
fn kmac_samples_of_nist() {
    let folder = Folder::new();
    let key = hex(&(0x40..0x60).collect::<Vec<u8>>());
    folder.write("short", [0, 1, 2, 3]);
    folder.write("long", (0..200).collect::<Vec<u8>>());
    let custom = ["--customization", "My Tagged Application"];
    for (algorithm, options, file, tag) in [
        ("kmac128", &[][..], "short", "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"),
        ("kmac128", &custom, "short", "3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"),
        (
            "kmac256",
            &custom,
            "long",
            "b58618f71f92e1d56c1b8c55ddd7cd188b97b4ca4d99831eb2699a837da2e4d970fbacfde50033aea585f1a2708510c3\
             2d07880801bd182898fe476876fc8965",
        ),
        ("kmac128", &["--xof"], "short", "cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35"),
        (
            "kmac128",
            &["--xof", custom[0], custom[1]],
            "long",
            "47026c7cd793084aa0283c253ef658490c0db61438b8326fe9bddf281b83ae0f",
        ),
        (
            "kmac256",
            &["--xof", custom[0], custom[1]],
            "long",
            "d5be731c954ed7732846bb59dbe3a8e30f83e77a4bff4459f2f1c2b4ecebb8ce67ba01c62e8ab8578d2d499bd1bb2767\
             68781190020a306a97de281dcc30305d",
        ),
    ] {
        let run = |more: &[&str]| {
            folder.hashwell([&["kmac", "-a", algorithm, "--key-hex", &key], options, more, &[file]].concat())
        };
        assert_ran(&run(&[]), 0, &format!("{tag}  {file}\n"), "");
        assert_ran(&run(&["--verify", tag]), 0, &format!("{file}: OK\n"), "");
        let wrong = format!("{}00", &tag[..tag.len() - 2]);
        assert_ran(&run(&["--verify", &wrong]), 1, &format!("{file}: FAILED\n"), "");
        assert_ran(&run(&["--verify", &tag[..2]]), 1, &format!("{file}: FAILED\n"), "");
        assert_ran(&run(&["--verify", ""]), 1, &format!("{file}: FAILED\n"), "");
        assert_eq!(hex(&run(&["--raw"]).stdout), tag);
        let short = stdout(&run(&["-n", "5"]));
        assert_eq!(short.len(), "0123456789  \n".len() + file.len());
        assert_eq!(short.starts_with(&tag[..10]), options.contains(&"--xof"), "{short}");
    }
}

#[test]
fn long_streams_and_many_files_of_kmac() {
    let folder = folder();
    folder.write("back\\slash", "abc");
    let key = ["--key-file", "key", "-a", "kmac256"];
    let long =
        stdout(&folder.hashwell([&["kmac", "--xof", "-n", "200000"], &key[..], &["back\\slash"]].concat()));
    let raw =
        folder.hashwell([&["kmac", "--xof", "-n", "200000", "--raw"], &key[..], &["abc"]].concat()).stdout;
    assert_eq!(long, format!("\\{}  back\\\\slash\n", hex(&raw)));
    let kmac = hashwell::Kmac::new(hashwell::KmacVariant::Kmac256, KEY.as_bytes(), b"");
    let expected = |data: &[u8]| {
        let mut kmac = kmac.clone();
        kmac.update(data);
        kmac
    };
    assert_eq!(raw, expected(b"abc").into_reader().read_vec(200_000));
    let two = folder.hashwell([&["kmac", "-n", "100K"], &key[..], &["abc", "missing", "empty"]].concat());
    let lines = [(b"abc".as_slice(), "abc"), (b"", "empty")]
        .map(|(data, name)| format!("{}  {name}\n", hex(&expected(data).tag(102_400))));
    assert_ran(&two, 1, &lines.concat(), "hashwell: missing: No such file or directory\n");
}

/// The test cases of RFC 5869, appendix A.
#[test]
fn hkdf_cases_of_the_rfc() {
    let folder = Folder::new();
    let range = |from: u8, to: u8| hex(&(from..=to).collect::<Vec<u8>>());
    let ikm22 = "0b".repeat(22);
    let cases = [
        (
            "sha256",
            ikm22.clone(),
            range(0, 0x0c),
            range(0xf0, 0xf9),
            "42",
            "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
        ),
        (
            "sha256",
            range(0, 0x4f),
            range(0x60, 0xaf),
            range(0xb0, 0xff),
            "82",
            "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09\
             da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
        ),
        (
            "sha256",
            ikm22.clone(),
            String::new(),
            String::new(),
            "42",
            "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
        ),
        (
            "sha1",
            "0b".repeat(11),
            range(0, 0x0c),
            range(0xf0, 0xf9),
            "42",
            "9b6c18c432a7bf8f0e71c8eb88f4b30baa2ba243",
            "085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896",
        ),
    ];
    for (algorithm, ikm, salt, info, len, prk, okm) in cases {
        let salt = ["--salt-hex", &salt];
        let info = ["--info-hex", &info];
        let run = |key: &str, more: &[&str]| {
            folder.hashwell([&["hkdf", "-a", algorithm, "--key-hex", key], more].concat())
        };
        let bytes = ["-n", len];
        assert_ran(&run(&ikm, &[&salt[..], &info, &bytes].concat()), 0, &format!("{okm}\n"), "");
        assert_ran(&run(&ikm, &[&salt[..], &["--extract"]].concat()), 0, &format!("{prk}\n"), "");
        assert_ran(&run(prk, &[&info[..], &bytes, &["--expand"]].concat()), 0, &format!("{okm}\n"), "");
        let raw = run(&ikm, &[&salt[..], &info, &bytes, &["--raw"]].concat()).stdout;
        assert_eq!(hex(&raw), okm);
    }
    let text =
        folder.hashwell(["hkdf", "-a", "sha512", "--key-hex", "00", "-n", "9", "--salt", "s", "--info", "é"]);
    let bytes = folder.hashwell([
        "hkdf",
        "-a",
        "sha512",
        "--key-hex",
        "00",
        "-n",
        "9",
        "--salt-hex",
        "73",
        "--info-hex",
        "c3a9",
    ]);
    assert_ran(&text, 0, &stdout(&bytes), "");
    let refused = folder.hashwell(["hkdf", "-a", "sha256", "--key-hex", "00"]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("--bytes"), "{}", stderr(&refused));
}

#[test]
fn kmac_and_hkdf_are_openssls() {
    let folder = folder();
    let mac = [
        "mac",
        "-macopt",
        "hexkey:00112233445566778899aabbccddeeff",
        "-macopt",
        "custom:use",
        "-macopt",
        "size:100",
    ];
    let Some(theirs) = folder.tool("openssl", [&mac[..], &["-in", "key", "KMAC-256"]].concat()) else {
        return;
    };
    let ours = folder.hashwell([
        "kmac",
        "-a",
        "kmac256",
        "--key-hex",
        "00112233445566778899aabbccddeeff",
        "--customization",
        "use",
        "-n",
        "100",
        "key",
    ]);
    assert_eq!(stdout(&theirs).trim().to_lowercase() + "  key\n", stdout(&ours), "{}", stderr(&theirs));
    let kdf = [
        "kdf",
        "-keylen",
        "100",
        "-kdfopt",
        "digest:SHA3-512",
        "-kdfopt",
        "hexkey:00112233",
        "-kdfopt",
        "salt:s",
        "-kdfopt",
        "info:i",
    ];
    let theirs = folder.tool("openssl", [&kdf[..], &["HKDF"]].concat()).unwrap();
    let ours = folder.hashwell([
        "hkdf",
        "-a",
        "sha3-512",
        "--key-hex",
        "00112233",
        "--salt",
        "s",
        "--info",
        "i",
        "-n",
        "100",
    ]);
    assert_eq!(
        stdout(&theirs).trim().replace(':', "").to_lowercase() + "\n",
        stdout(&ours),
        "{}",
        stderr(&theirs)
    );
}

/// An empty key is rejected, and with a key, no algorithm is guessed.
#[test]
fn keyed_sums_need_a_key_and_an_algorithm() {
    let folder = folder();
    for (option, key, why) in [
        ("--key-hex", "", "--keyed: the key is empty"),
        ("--key-file", "empty", "--key-file: empty is empty"),
    ] {
        let refused = folder.hashwell(["sum", "-a", "blake2b", "--keyed", option, key, "abc"]);
        assert_ran(&refused, 2, "", &format!("hashwell: {why}\n"));
    }
    let list = folder.hashwell(["sum", "-a", "blake3", "--keyed", "--key-file", "key", "abc"]);
    folder.write("list", &list.stdout);
    let check = |algorithm: &[&str]| {
        folder.hashwell([&["sum", "-c", "--keyed", "--key-file", "key", "list"], algorithm].concat())
    };
    assert_ran(&check(&["-a", "blake3"]), 0, "abc: OK\n", "");
    let refused = "hashwell: list: the list does not name the keyed algorithm; select it with -a\n";
    assert_ran(&check(&[]), 1, "", refused);
}
