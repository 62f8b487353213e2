//! Rows as a Parquet file: columns of optional values, packed with Snappy.

use std::fs::File;
use std::sync::Arc;

use anyhow::{Context, Result};
use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use super::columns::{Column, Kind, Subject, Value};

/// A Parquet file being written.
pub(super) struct Sheet {
    writer: SerializedFileWriter<File>,
    columns: Vec<(&'static Column, Cells)>,
    /// Rows and bytes that wait for their group.
    waiting: usize,
    bytes: usize,
    num_rows: u64,
}

/// The cells of one column that wait.
#[derive(Default)]
struct Cells {
    texts: Vec<ByteArray>,
    numbers: Vec<i64>,
    flags: Vec<bool>,
    /// 1 where there is a value, 0 where there is none.
    present: Vec<i16>,
}

/// Rows of one group.
const GROUP_ROWS: usize = 50_000;
/// Bytes of text of one group, before packing.
const GROUP_BYTES: usize = 32 * 1024 * 1024;

impl Sheet {
    pub(super) fn create(file: File, columns: Vec<&'static Column>) -> Result<Self> {
        let fields: Vec<String> = columns
            .iter()
            .map(|column| match column.kind {
                Kind::Text => format!("optional binary {} (UTF8);", column.name),
                Kind::Number => format!("optional int64 {};", column.name),
                Kind::Flag => format!("optional boolean {};", column.name),
                Kind::Time => format!("optional int64 {} (TIMESTAMP(MILLIS,true));", column.name),
            })
            .collect();
        let schema = parse_message_type(&format!("message lookfar {{ {} }}", fields.join(" ")))
            .context("the columns make no schema")?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("lookfar ", env!("CARGO_PKG_VERSION")).to_owned());
        let writer =
            SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build()))?;
        let columns = columns.into_iter().map(|column| (column, Cells::default())).collect();
        Ok(Self { writer, columns, waiting: 0, bytes: 0, num_rows: 0 })
    }

    pub(super) fn push(&mut self, subject: &Subject<'_>) -> Result<()> {
        for (column, cells) in &mut self.columns {
            let value = (column.value)(subject);
            cells.present.push(i16::from(!matches!(value, Value::Nothing)));
            match value {
                Value::Nothing => {}
                Value::Text(text) => {
                    self.bytes += text.len();
                    cells.texts.push(text.into_bytes().into());
                }
                Value::Number(number) => cells.numbers.push(number),
                Value::Flag(flag) => cells.flags.push(flag),
                Value::Time(time) => cells.numbers.push(time.as_millis()),
            }
        }
        self.num_rows += 1;
        self.waiting += 1;
        if self.waiting >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    /// Writes what waits and the end of the file; returns the number of rows.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.write_group()?;
        self.writer.close()?;
        Ok(self.num_rows)
    }

    fn write_group(&mut self) -> Result<()> {
        if self.waiting == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for (column, cells) in &mut self.columns {
            let mut out = group.next_column()?.context("a group has all columns")?;
            std::mem::take(cells).write(column.kind, &mut out)?;
            out.close()?;
        }
        group.close()?;
        (self.waiting, self.bytes) = (0, 0);
        Ok(())
    }
}

impl Cells {
    fn write(self, kind: Kind, out: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let present = Some(self.present.as_slice());
        match kind {
            Kind::Text => out.typed::<ByteArrayType>().write_batch(&self.texts, present, None)?,
            Kind::Number | Kind::Time => {
                out.typed::<Int64Type>().write_batch(&self.numbers, present, None)?
            }
            Kind::Flag => out.typed::<BoolType>().write_batch(&self.flags, present, None)?,
        };
        Ok(())
    }
}
