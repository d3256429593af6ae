//! Writes the rewrites of rule files into a folder: `rewritten FOLDER SEED FILE...`.
//!
//! A file `GAME.s3` becomes `GAME@REWRITE.s3` for each rewrite that has a place in it.

use std::error::Error;
use std::path::Path;

use rulec_rewrites::rewrites;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(folder), Some(seed)) = (args.next(), args.next()) else {
        return Err("usage: rewritten FOLDER SEED FILE...".into());
    };
    let seed = seed.parse()?;
    std::fs::create_dir_all(&folder)?;
    for file in args {
        let path = Path::new(&file);
        let text = std::fs::read_to_string(path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        for rewrite in rewrites(&ending) {
            if let Some(written) = rewrite.apply(&text, seed) {
                let name = format!("{stem}@{}.{ending}", rewrite.name);
                std::fs::write(Path::new(&folder).join(name), written)?;
            }
        }
    }
    Ok(())
}
