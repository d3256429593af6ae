//! A port in C.
//!
//! The interface is one table of functions. It grows at its end only; what would change the meaning of an entry is a new
//! [`VERSION`]. Nothing of Rust crosses it, neither types nor panics, and each side frees what it has made.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use rulec_core::GameInfo;

use crate::port::{Call, Port, Refused};

/// How a table begins.
pub const MAGIC: [u8; 8] = *b"RULECGAM";

/// The version of the interface: libraries of another one are refused.
pub const VERSION: u32 = 2;

/// Bytes to be read.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// The first one; may be null if there are none.
    pub data: *const u8,
    /// How many.
    pub len: usize,
}

/// Bytes to be filled.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SliceMut {
    /// The first one; may be null if there are none.
    pub data: *mut u8,
    /// How many.
    pub len: usize,
}

/// Who takes text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Sink {
    /// What `write` is given.
    pub context: *mut c_void,
    /// Is called with pieces of text, during the operation only.
    pub write: unsafe extern "C" fn(context: *mut c_void, data: *const u8, len: usize),
}

/// What is behind the pointers that a library gives; only the library looks inside.
pub struct Handle {
    /// Nothing after a panic.
    port: Option<Box<dyn Port>>,
}

impl Handle {
    /// What `open` of a table gives: null where the game cannot be made.
    pub fn open<P: Port + 'static>(make: impl FnOnce() -> P) -> *mut Handle {
        let made = catch_unwind(AssertUnwindSafe(|| Self::give(Box::new(make()))));
        made.unwrap_or(ptr::null_mut())
    }

    fn give(port: Box<dyn Port>) -> *mut Handle {
        Box::into_raw(Box::new(Handle::of(port)))
    }

    pub(crate) fn of(port: Box<dyn Port>) -> Handle {
        Handle { port: Some(port) }
    }

    /// Carries out an operation; after a panic no more.
    pub(crate) fn call(&mut self, call: &mut Call<'_, '_>) -> Result<u64, Refused> {
        let broken = |text: String| Refused {
            code: Refused::PANIC,
            text,
        };
        let Some(mut port) = self.port.take() else {
            return Err(broken(
                "it went wrong inside before and cannot be used any more".to_owned(),
            ));
        };
        match catch_unwind(AssertUnwindSafe(|| port.call(call))) {
            Ok(result) => {
                self.port = Some(port);
                result
            }
            Err(panic) => {
                let words = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
                Err(broken(format!(
                    "the game went wrong inside: {}",
                    words.unwrap_or_default()
                )))
            }
        }
    }
}

/// The interface of a game.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u32,
    /// Bytes of this table.
    pub size: u32,
    /// SHA-256 of the rules in hex.
    pub rules: [u8; 64],
    /// Makes the game; null if that is not possible.
    pub open: extern "C" fn() -> *mut Handle,
    /// Carries out an operation, see [`op`](crate::op): gives its number, or, below 0, the code of a refusal whose text goes to the
    /// sink. What it makes is put where `made` points to.
    pub call: unsafe extern "C" fn(
        handle: *mut Handle,
        op: u32,
        inputs: *const Slice,
        input_count: usize,
        outputs: *const SliceMut,
        output_count: usize,
        sink: *const Sink,
        made: *mut *mut Handle,
    ) -> i64,
    /// Frees what `open` or `call` has made.
    pub close: unsafe extern "C" fn(handle: *mut Handle),
}

impl Table {
    /// The table of a game.
    pub fn new(open: extern "C" fn() -> *mut Handle, info: &GameInfo) -> Table {
        let mut rules = [b'0'; 64];
        for (place, byte) in rules.iter_mut().zip(info.rules_sha256.bytes()) {
            *place = byte;
        }
        Table {
            magic: MAGIC,
            version: VERSION,
            size: size_of::<Table>() as u32,
            rules,
            open,
            call,
            close,
        }
    }
}

/// Most blocks of an operation.
const MOST_BLOCKS: usize = 64;

#[allow(unsafe_code)]
unsafe extern "C" fn call(
    handle: *mut Handle,
    op: u32,
    inputs: *const Slice,
    input_count: usize,
    outputs: *const SliceMut,
    output_count: usize,
    sink: *const Sink,
    made: *mut *mut Handle,
) -> i64 {
    let blocks = input_count.max(output_count);
    if handle.is_null() || sink.is_null() || made.is_null() || blocks > MOST_BLOCKS {
        return Refused::USE.into();
    }
    // SAFETY: the contract of the table. The handle is one that `open` or `call` gave, was not closed, and nobody else uses it during
    // the call; sink and `made` point to one of their kind; the lists have as many members as the counts say, and each names so many
    // bytes that can be read, or that can be written and that nobody else looks at during the call. Null pointers were told apart, above
    // or by `bytes`; blocks stay borrowed for the call only.
    let (handle, sink, inputs, mut outputs) = unsafe {
        let inputs: Vec<&[u8]> = match input_count {
            0 => Vec::new(),
            _ if inputs.is_null() => return Refused::USE.into(),
            count => from_raw_parts(inputs, count)
                .iter()
                .map(|block| bytes(block))
                .collect(),
        };
        let outputs: Vec<&mut [u8]> = match output_count {
            0 => Vec::new(),
            _ if outputs.is_null() => return Refused::USE.into(),
            count => from_raw_parts(outputs, count)
                .iter()
                .map(|block| bytes_mut(block))
                .collect(),
        };
        (&mut *handle, &*sink, inputs, outputs)
    };
    let mut call = Call {
        op,
        inputs: &inputs,
        outputs: &mut outputs,
        text: Vec::new(),
        made: None,
    };
    let result = handle.call(&mut call);
    let (number, text) = match result {
        Ok(number) => (i64::try_from(number).unwrap_or(i64::MAX), call.text),
        Err(refused) => (refused.code.into(), refused.text.into_bytes()),
    };
    let port = call.made.map_or(ptr::null_mut(), Handle::give);
    // SAFETY: `made` points to a place for a pointer, see above; the sink's function takes any bytes during the call, and these live
    // until it is back.
    unsafe {
        made.write(port);
        if !text.is_empty() {
            (sink.write)(sink.context, text.as_ptr(), text.len());
        }
    }
    number
}

#[allow(unsafe_code)]
unsafe fn bytes<'c>(block: &Slice) -> &'c [u8] {
    match block.data.is_null() || block.len > isize::MAX as usize {
        true => &[],
        // SAFETY: as the caller says, so many bytes can be read there; not null, and not more than an allocation has.
        false => unsafe { from_raw_parts(block.data, block.len) },
    }
}

#[allow(unsafe_code)]
unsafe fn bytes_mut<'c>(block: &SliceMut) -> &'c mut [u8] {
    match block.data.is_null() || block.len > isize::MAX as usize {
        true => &mut [],
        // SAFETY: as the caller says, so many bytes can be written there and nobody else looks at them; see also `bytes`.
        false => unsafe { from_raw_parts_mut(block.data, block.len) },
    }
}

#[allow(unsafe_code)]
unsafe extern "C" fn close(handle: *mut Handle) {
    if handle.is_null() {
        return;
    }
    // SAFETY: the contract of the table: the handle came from `Box::into_raw` in this library and is closed once.
    let handle = unsafe { Box::from_raw(handle) };
    // A state that cannot be freed is left alone: there is nobody to tell.
    let _ = catch_unwind(AssertUnwindSafe(move || drop(handle)));
}

/// The other side: a game behind a table.
#[cfg(any(feature = "load", test))]
pub(crate) mod foreign {
    use super::*;
    use std::ptr::NonNull;

    /// What a library made.
    pub(crate) struct Foreign {
        table: &'static Table,
        handle: NonNull<Handle>,
    }

    // SAFETY: what is behind a handle is a `Port`, which may go from thread to thread, and functions of a table may be called on any
    // thread; that nobody calls twice at the same time follows from `&mut self`.
    #[allow(unsafe_code)]
    unsafe impl Send for Foreign {}

    #[allow(unsafe_code)]
    unsafe extern "C" fn append(context: *mut c_void, data: *const u8, len: usize) {
        // SAFETY: the context is the text that `call` below passes, which nobody else uses meanwhile; the library gives bytes that can be
        // read.
        unsafe {
            let text = &mut *context.cast::<Vec<u8>>();
            text.extend_from_slice(bytes(&Slice { data, len }));
        }
    }

    impl Foreign {
        /// The game of a table.
        ///
        /// The table must come from a library that keeps to the contract of its version and stays loaded.
        pub(crate) fn open(table: &'static Table) -> Option<Self> {
            let handle = NonNull::new((table.open)())?;
            Some(Self { table, handle })
        }
    }

    impl Port for Foreign {
        #[allow(unsafe_code)]
        fn call(&mut self, call: &mut Call<'_, '_>) -> Result<u64, Refused> {
            let inputs: Vec<Slice> = (call.inputs.iter())
                .map(|block| Slice {
                    data: block.as_ptr(),
                    len: block.len(),
                })
                .collect();
            let outputs: Vec<SliceMut> = (call.outputs.iter_mut())
                .map(|block| SliceMut {
                    data: block.as_mut_ptr(),
                    len: block.len(),
                })
                .collect();
            let mut text: Vec<u8> = Vec::new();
            let sink = Sink {
                context: (&raw mut text).cast(),
                write: append,
            };
            let mut made = ptr::null_mut();
            // SAFETY: the handle is open and used here alone; lists and blocks live through the call, and those to be filled are
            // borrowed for writing; the sink's context is a text that is not touched meanwhile.
            let number = unsafe {
                (self.table.call)(
                    self.handle.as_ptr(),
                    call.op,
                    inputs.as_ptr(),
                    inputs.len(),
                    outputs.as_ptr(),
                    outputs.len(),
                    &raw const sink,
                    &raw mut made,
                )
            };
            let made = NonNull::new(made).map(|handle| Foreign {
                table: self.table,
                handle,
            });
            match u64::try_from(number) {
                Ok(number) => {
                    call.text = text;
                    call.made = made.map(|port| Box::new(port) as Box<dyn Port>);
                    Ok(number)
                }
                Err(_) => Err(Refused {
                    code: i32::try_from(number).unwrap_or(Refused::USE),
                    text: String::from_utf8_lossy(&text).into_owned(),
                }),
            }
        }
    }

    impl Drop for Foreign {
        #[allow(unsafe_code)]
        fn drop(&mut self) {
            // SAFETY: the handle is open, and closed here only.
            unsafe { (self.table.close)(self.handle.as_ptr()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Games, Settings};

    struct Panics;

    impl Port for Panics {
        fn call(&mut self, call: &mut Call<'_, '_>) -> Result<u64, Refused> {
            match call.op {
                0 => Ok(call.inputs.iter().map(|block| block.len() as u64).sum()),
                1 => {
                    call.made = Some(Box::new(Panics));
                    Ok(0)
                }
                _ => panic!("on purpose"),
            }
        }
    }

    extern "C" fn open() -> *mut Handle {
        Handle::open(|| Panics)
    }

    fn table() -> &'static Table {
        static TABLE: std::sync::OnceLock<Table> = std::sync::OnceLock::new();
        TABLE.get_or_init(|| Table::new(open, &GameInfo::EMPTY))
    }

    #[test]
    fn panics_stay_inside_and_end_the_handle() {
        let mut port = foreign::Foreign::open(table()).expect("it opens");
        let mut ask = |op| {
            let mut outputs = [];
            port.call(&mut Call {
                op,
                inputs: &[b"abc", b"", b"d"],
                outputs: &mut outputs,
                text: Vec::new(),
                made: None,
            })
        };
        assert_eq!(ask(0), Ok(4));
        assert_eq!(ask(1), Ok(0));
        let error = ask(2).expect_err("it panics");
        assert_eq!(error.code, Refused::PANIC);
        assert!(error.text.contains("on purpose"), "{error}");
        assert!(ask(0).expect_err("it is gone").text.contains("before"));
    }

    #[test]
    fn null_is_refused() {
        let mut made = ptr::null_mut();
        let table = table();
        #[allow(unsafe_code)]
        // SAFETY: null is allowed and refused.
        let code = unsafe {
            (table.call)(
                ptr::null_mut(),
                0,
                ptr::null(),
                0,
                ptr::null(),
                0,
                ptr::null(),
                &raw mut made,
            )
        };
        assert_eq!(code, i64::from(Refused::USE));
    }

    #[test]
    fn what_makes_nothing_is_an_error() {
        let port = foreign::Foreign::open(table()).expect("it opens");
        let mut games = Games::new(Box::new(port));
        // `BATCH` panics here.
        assert!(games.batch(&Settings::default()).is_err());
    }
}
