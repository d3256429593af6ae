//! Files that appear under their names only when they are complete.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process,
};

/// A file that appears under its name only when it is complete.
///
/// It is written under another name beside its place, which is removed again when it is not finished. What is no file, as a
/// device or a pipe, is never replaced by one: it is written to as the bytes come. A link stays, and what it leads to is written.
pub struct NewFile {
    path: PathBuf,
    /// The other name; nothing for what is no file.
    draft: Option<PathBuf>,
    file: Option<BufWriter<File>>,
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When the draft cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let path = match path.is_symlink() {
            true => &fs::canonicalize(path)?,
            false => path,
        };
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let is_device = fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir());
        let draft = path.with_file_name(format!(".{}.{}.tmp", name.display(), process::id()));
        let file = match is_device {
            true => File::options().write(true).open(path)?,
            false => File::create(&draft)?,
        };
        Ok(Self {
            path: path.to_owned(),
            draft: (!is_device).then_some(draft),
            file: Some(BufWriter::with_capacity(1 << 16, file)),
        })
    }

    /// Gives the file these permissions; does nothing to what is no file.
    ///
    /// # Errors
    /// When that is not allowed.
    pub fn set_permissions(&self, permissions: fs::Permissions) -> io::Result<()> {
        match (&self.file, &self.draft) {
            (Some(file), Some(_)) => file.get_ref().set_permissions(permissions),
            _ => Ok(()),
        }
    }

    /// Brings everything to the disk and gives the file its name.
    ///
    /// # Errors
    /// When writing or renaming fails; no file of the name is made then.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let Some(draft) = self.draft.take() else {
            return file.map(|_| ());
        };
        let renamed = file
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&draft, &self.path))
            .and_then(|()| sync_folder(&self.path));
        if renamed.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&draft);
        }
        renamed
    }
}

/// Brings the name of a file to the disk, where the system can.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    match cfg!(unix) {
        true => File::open(folder.unwrap_or(Path::new(".")))?.sync_all(),
        false => Ok(()),
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // What is still in the buffer is not worth another attempt to write it.
            drop(file.into_parts());
            // Nothing can be done about a draft that cannot be removed.
            if let Some(draft) = &self.draft {
                let _ = fs::remove_file(draft);
            }
        }
    }
}

/// Writes a whole file or none.
///
/// # Errors
/// When writing fails.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// The folder of this user for what can be made again or is not missed: that of the variable `RULEC_CACHE`, else `rulec` in
/// the folder that the system has for it. Nothing where there is none.
pub fn cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    variable("RULEC_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|folder| folder.join("rulec")))
        .or_else(|| variable("LOCALAPPDATA").map(|folder| folder.join("rulec").join("cache")))
        .or_else(|| variable("HOME").map(|folder| folder.join(".cache").join("rulec")))
        .and_then(|folder| std::path::absolute(folder).ok())
}

/// Removes the drafts that a killed process left in a folder, of files whose names begin so.
///
/// # Errors
/// When the folder cannot be read, or a draft not be removed.
#[cfg(feature = "programs")]
pub(crate) fn remove_drafts(folder: &Path, prefixes: &[&str]) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let of_ours = |prefix: &&str| {
            name.strip_prefix('.')
                .is_some_and(|n| n.starts_with(*prefix))
        };
        if name.ends_with(".tmp") && prefixes.iter().any(of_ours) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
