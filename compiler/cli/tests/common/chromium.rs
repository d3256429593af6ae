//! Chromium without a window, driven through a pair of pipes: no driver and no network library is needed.

use std::fs::{self, File};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time for one answer of the browser: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program, if there is one.
///
/// # Panics
/// When it is missing and `CI` is `true`.
pub(crate) fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let all =
        std::env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name)));
    let found = all.into_iter().find(|path| path.is_file());
    assert!(
        found.is_some() || std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "chromium is missing"
    );
    if found.is_none() {
        eprintln!("skipped: chromium is not installed");
    }
    found
}

/// A browser.
pub(crate) struct Browser {
    child: Child,
    folder: PathBuf,
    commands: File,
    messages: Receiver<Value>,
    next: u64,
    /// What pages complained of: console errors, exceptions, failed loads.
    pub complaints: Vec<String>,
}

/// A page of a browser.
#[derive(Clone)]
pub(crate) struct Tab {
    session: String,
}

impl Browser {
    /// Starts one, with a profile of its own in a new folder.
    pub(crate) fn start(program: &Path, name: &str) -> Browser {
        let folder =
            std::env::temp_dir().join(format!("rulec-browser-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let pipes = ["commands", "answers"].map(|name| folder.join(name));
        let made = Command::new("mkfifo")
            .args(&pipes)
            .status()
            .expect("mkfifo runs");
        assert!(made.success());
        let script = "exec \"$0\" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
             --disable-background-networking --disable-component-update --hide-scrollbars --window-size=1360,1000 \
             --user-data-dir=\"$1/profile\" --remote-debugging-pipe 3<\"$1/commands\" 4>\"$1/answers\"";
        let child = Command::new("sh")
            .args(["-c", script])
            .arg(program)
            .arg(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let commands = File::options()
            .write(true)
            .open(&pipes[0])
            .expect("a pipe to write");
        let answers = File::open(&pipes[1]).expect("a pipe to read");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            for byte in BufReader::new(answers).bytes() {
                match byte {
                    Ok(0) => {
                        let value = serde_json::from_slice(&message).unwrap_or_default();
                        message.clear();
                        if sender.send(value).is_err() {
                            return;
                        }
                    }
                    Ok(byte) => message.push(byte),
                    Err(_) => return,
                }
            }
        });
        Browser {
            child,
            folder,
            commands,
            messages,
            next: 1,
            complaints: Vec::new(),
        }
    }

    fn ask(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        let answer = self.request(session, method, params);
        answer.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The answer to a request, or the error that the browser gives instead.
    fn request(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<Value, Value> {
        let id = self.next;
        self.next += 1;
        let mut request = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            request["sessionId"] = session.into();
        }
        let mut bytes = request.to_string().into_bytes();
        bytes.push(0);
        self.commands.write_all(&bytes).expect("the browser reads");
        loop {
            let message = self.messages.recv_timeout(PATIENCE);
            let message =
                message.unwrap_or_else(|_| panic!("the browser does not answer {method}"));
            if message["id"] == id {
                return match message["error"].is_null() {
                    true => Ok(message["result"].clone()),
                    false => Err(message["error"].clone()),
                };
            }
            self.note(&message);
        }
    }

    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        let complaint = match message["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => params["exceptionDetails"].to_string(),
            "Runtime.consoleAPICalled" if params["type"] == "error" => params["args"].to_string(),
            "Log.entryAdded" if params["entry"]["level"] == "error" => params["entry"].to_string(),
            _ => return,
        };
        self.complaints.push(complaint);
    }

    /// Opens a page; pages do not share cookies or storage.
    pub(crate) fn open(&mut self, address: &str) -> Tab {
        let context = self.ask(None, "Target.createBrowserContext", json!({}));
        let target = self.ask(
            None,
            "Target.createTarget",
            json!({ "url": "about:blank", "browserContextId": context["browserContextId"], "width": 1360, "height": 1000 }),
        );
        let attached = self.ask(
            None,
            "Target.attachToTarget",
            json!({ "targetId": target["targetId"], "flatten": true }),
        );
        let tab = Tab {
            session: attached["sessionId"]
                .as_str()
                .expect("a session")
                .to_owned(),
        };
        for method in ["Runtime.enable", "Log.enable", "Page.enable"] {
            self.ask(Some(&tab.session), method, json!({}));
        }
        self.ask(
            Some(&tab.session),
            "Page.navigate",
            json!({ "url": address }),
        );
        tab
    }

    /// The value of an expression in a page.
    pub(crate) fn eval(&mut self, tab: &Tab, expression: &str) -> Value {
        let value = self.evaluate(tab, expression);
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    fn evaluate(&mut self, tab: &Tab, expression: &str) -> Result<Value, Value> {
        let result = self.request(
            Some(&tab.session),
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        )?;
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {result}"
        );
        Ok(result["result"]["value"].clone())
    }

    /// Waits until an expression is true.
    pub(crate) fn until(&mut self, tab: &Tab, condition: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            // A page that is just being loaded has nothing to evaluate in, for a moment.
            let value = self.evaluate(tab, &format!("Boolean({condition})"));
            if value == Ok(json!(true)) {
                return;
            }
            if Instant::now() > end {
                let text = self.evaluate(tab, "document.body.innerText");
                panic!(
                    "never true: {condition}: {value:?}\n{text:?}\n{:?}",
                    self.complaints
                );
            }
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Presses and lets go of the mouse at points, one after the other.
    pub(crate) fn click(&mut self, tab: &Tab, (x, y): (f64, f64)) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let buttons = i32::from(kind == "mousePressed");
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
            self.ask(Some(&tab.session), "Input.dispatchMouseEvent", event);
        }
    }

    /// Takes something from one point to another.
    pub(crate) fn drag(&mut self, tab: &Tab, from: (f64, f64), to: (f64, f64)) {
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let steps = [
            ("mouseMoved", from, 0),
            ("mousePressed", from, 1),
            ("mouseMoved", middle, 1),
            ("mouseMoved", to, 1),
            ("mouseReleased", to, 0),
        ];
        for (kind, (x, y), buttons) in steps {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
            self.ask(Some(&tab.session), "Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key.
    pub(crate) fn key(&mut self, tab: &Tab, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key });
            self.ask(Some(&tab.session), "Input.dispatchKeyEvent", event);
        }
    }

    /// Makes a page that of a screen of this size, with a light or dark theme.
    pub(crate) fn emulate(&mut self, tab: &Tab, (width, height): (u32, u32), dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.ask(
            Some(&tab.session),
            "Emulation.setDeviceMetricsOverride",
            size,
        );
        let theme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        self.ask(Some(&tab.session), "Emulation.setEmulatedMedia", media);
        // What was shown for another size is shown anew.
        self.eval(
            tab,
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
    }

    /// Leaves a page, so that it asks no server any more.
    pub(crate) fn close(&mut self, tab: &Tab) {
        self.ask(
            Some(&tab.session),
            "Page.navigate",
            json!({ "url": "about:blank" }),
        );
    }

    /// Loads the page again.
    pub(crate) fn reload(&mut self, tab: &Tab) {
        self.eval(tab, "delete document.body.dataset.version");
        self.ask(Some(&tab.session), "Page.reload", json!({}));
    }

    /// A picture of the page, as a file in the folder that `RULEC_SCREENS` names.
    pub(crate) fn screenshot(&mut self, tab: &Tab, name: &str) {
        let Some(folder) = std::env::var_os("RULEC_SCREENS") else {
            return;
        };
        // Pieces on their way are shown where they get to.
        self.eval(
            tab,
            "document.getAnimations().forEach(one => { try { one.finish(); } catch { one.cancel(); } })",
        );
        let shot = self.ask(
            Some(&tab.session),
            "Page.captureScreenshot",
            json!({ "format": "png" }),
        );
        let text = shot["data"].as_str().unwrap_or_default();
        let bytes = decode(text);
        fs::write(PathBuf::from(folder).join(format!("{name}.png")), bytes)
            .expect("the picture is written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The bytes of a text in base 64.
fn decode(text: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for chunk in text.trim_end_matches('=').as_bytes().chunks(4) {
        let word = chunk
            .iter()
            .fold(0_u32, |word, &letter| word << 6 | u32::from(digit(letter)));
        let word = word << (6 * (4 - chunk.len()));
        bytes.extend(&word.to_be_bytes()[1..chunk.len()]);
    }
    bytes
}
