//! Files are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use rulec_search::files::NewFile;

/// Writes a file under another name beside it, flushes it to the disk and renames it.
///
/// Whoever looks sees the old file or the new one, also after a crash.
///
/// # Errors
/// When the folder does not exist or cannot be written.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, |file| file.write_all(bytes))
}

/// As [`write()`], but leaves a file alone that has these bytes already, so that its date stays.
///
/// # Errors
/// As [`write()`].
pub(crate) fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    match fs::read(path) {
        Ok(present) if present == bytes => Ok(()),
        _ => write(path, bytes),
    }
}

/// Copies a program in the manner of [`write()`], with its permissions.
///
/// # Errors
/// As [`write()`], and when the source cannot be read.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut source = File::open(from).with_context(|| format!("cannot read {}", from.display()))?;
    let permissions = source.metadata()?.permissions();
    replace(to, |file| {
        io::copy(&mut source, file)?;
        file.set_permissions(permissions)
    })
}

/// Makes a folder and those above it.
///
/// # Errors
/// When that is not possible.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

fn replace(path: &Path, fill: impl FnOnce(&mut NewFile) -> io::Result<()>) -> Result<()> {
    NewFile::create(path)
        .and_then(|mut file| {
            fill(&mut file)?;
            file.finish()
        })
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("rulec-files-{name}-{}", std::process::id()));
        make_folder(&folder).unwrap();
        folder
    }

    #[test]
    fn replaces_and_leaves_nothing_else() {
        let folder = folder("replace");
        let path = folder.join("a.txt");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one() {
        let folder = folder("fail");
        let path = folder.join("a.txt");
        write(&path, b"one").unwrap();
        let broken = replace(&path, |file| {
            file.write_all(b"half of it")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(broken.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_stays_what_it_is() {
        use std::os::unix::fs::FileTypeExt;

        let path = Path::new("/dev/null");
        write(path, b"one").unwrap();
        write_if_changed(path, b"two").unwrap();
        assert!(fs::metadata(path).unwrap().file_type().is_char_device());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_leads_to_is_written() {
        let folder = folder("link");
        let (path, link) = (folder.join("a.txt"), folder.join("link.txt"));
        write(&path, b"one").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, b"two").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_equal_file_keeps_its_date() {
        let folder = folder("date");
        let path = folder.join("a.txt");
        write(&path, b"one").unwrap();
        let date = fs::metadata(&path).unwrap().modified().unwrap();
        write_if_changed(&path, b"one").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), date);
        write_if_changed(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        fs::remove_dir_all(folder).unwrap();
    }
}
