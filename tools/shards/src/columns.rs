//! Parquet: a row a sample, planes and policies as lists.

use std::{io::Write, sync::Arc};

use anyhow::{Context, Result};
use parquet::{
    basic::Compression,
    data_type::{FloatType, Int32Type, Int64Type},
    file::{
        metadata::KeyValue, properties::WriterProperties, writer::SerializedFileWriter,
        writer::SerializedRowGroupWriter,
    },
    schema::parser::parse_message_type,
};

use crate::shard::{Array, Shard};

/// Writes a shard; the header stands in the metadata of the file under `rulec`.
pub(crate) fn write(shard: &Shard, out: impl Write + Send) -> Result<()> {
    let planes: Vec<&Array> = shard
        .arrays()
        .iter()
        .filter(|a| a.name.starts_with("plane_"))
        .collect();
    let list = |name: &str, kind: &str| {
        format!(
            "required group {name} (LIST) {{ repeated group list {{ required {kind} element; }} }}\n"
        )
    };
    let mut schema = String::from(
        "message sample {\nrequired int64 game;\nrequired int32 player;\nrequired float value;\nrequired int32 plies_left;\n",
    );
    schema += &list("policy_move", "int32");
    schema += &list("policy_visits", "int32");
    for plane in &planes {
        schema += &list(
            &plane.name,
            if plane.width == 8 { "int64" } else { "int32" },
        );
    }
    schema.push('}');
    let header = KeyValue::new("rulec".to_owned(), shard.header.to_string());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("rulec-shards".to_owned())
        .set_key_value_metadata(Some(vec![header]))
        .build();
    let schema = Arc::new(parse_message_type(&schema)?);
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    let starts: Vec<usize> = shard
        .integers(shard.array("policy_start")?)
        .map(|n| n as usize)
        .collect();
    let lengths: Vec<usize> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let one = vec![1; shard.samples()];
    column(&mut group, shard, shard.array("game")?, &one, false)?;
    column(&mut group, shard, shard.array("player")?, &one, false)?;
    column(&mut group, shard, shard.array("value")?, &one, false)?;
    column(&mut group, shard, shard.array("plies_left")?, &one, false)?;
    column(
        &mut group,
        shard,
        shard.array("policy_move")?,
        &lengths,
        true,
    )?;
    column(
        &mut group,
        shard,
        shard.array("policy_visits")?,
        &lengths,
        true,
    )?;
    for plane in planes {
        let cells = vec![plane.shape[1]; shard.samples()];
        column(&mut group, shard, plane, &cells, true)?;
    }
    group.close()?;
    file.close()?;
    Ok(())
}

/// Writes an array as a column; `lengths` says how many items each sample has.
fn column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    shard: &Shard,
    array: &Array,
    lengths: &[usize],
    list: bool,
) -> Result<()> {
    let mut writer = group
        .next_column()?
        .context("the schema has too few columns")?;
    // An empty list has one pair of levels and no value.
    let levels = |n: &usize| {
        std::iter::once((*n > 0) as i16).chain(std::iter::repeat_n(1, n.saturating_sub(1)))
    };
    let repeats =
        |n: &usize| std::iter::once(0i16).chain(std::iter::repeat_n(1, n.saturating_sub(1)));
    let definition: Vec<i16> = lengths.iter().flat_map(levels).collect();
    let repetition: Vec<i16> = lengths.iter().flat_map(repeats).collect();
    let definition = list.then_some(&definition[..]);
    let repetition = list.then_some(&repetition[..]);
    match (array.kind.contains('f'), array.width) {
        (true, _) => {
            let items = shard.raw(array).chunks_exact(4);
            let values: Vec<f32> = items
                .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect();
            writer
                .typed::<FloatType>()
                .write_batch(&values, definition, repetition)?;
        }
        (_, 8) => {
            let values: Vec<i64> = shard.integers(array).collect();
            writer
                .typed::<Int64Type>()
                .write_batch(&values, definition, repetition)?;
        }
        _ => {
            let values: Vec<i32> = shard.integers(array).map(|n| n as i32).collect();
            writer
                .typed::<Int32Type>()
                .write_batch(&values, definition, repetition)?;
        }
    }
    writer.close()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;

    #[test]
    fn rows_are_samples() {
        let shard = Shard::parse(crate::shard::tests::bytes()).expect("it is a shard");
        let folder = std::env::temp_dir();
        let path = folder.join(format!("rulec-shards-{}.parquet", std::process::id()));
        let file = std::fs::File::create(&path).expect("the file can be made");
        write(&shard, file).expect("it can be written");
        let file = std::fs::File::open(&path).expect("the file is there");
        let reader = SerializedFileReader::new(file).expect("it is Parquet");
        let rows = reader.get_row_iter(None).expect("it has rows");
        let texts: Vec<String> = rows.map(|row| row.expect("a row").to_string()).collect();
        // It is gone at the next start of the machine, if not now.
        let _ = std::fs::remove_file(&path);
        assert_eq!(
            texts,
            [
                "{game: 7, player: 0, value: 1.0, plies_left: 2, policy_move: [1, 4, 8], policy_visits: [10, 20, 30], \
                 plane_000: [-1, 2], plane_001: [5]}",
                "{game: 7, player: 1, value: 0.5, plies_left: 1, policy_move: [2], policy_visits: [60], \
                 plane_000: [0, 1], plane_001: [8589934592]}",
            ]
        );
    }
}
