//! The native methods of `utfkit.Native`, with the names that the virtual machine looks for.

use jni_sys::{JNIEnv, jclass};

use crate::env::{Argument, Bytes, Chars, Env, Ints, Returned, Str, Thrown, enter};
use crate::value::Value;
use crate::{coders, decode, repair, report, utf8};

/// A line for each method: its name, its arguments, its result, and the function that does its work.
macro_rules! exports {
    ($(fn $name:ident($env:ident $(, $argument:ident: $kind:ty)*) -> $result:ty { $work:expr })*) => {$(
        /// # Safety
        ///
        /// The virtual machine calls it, with arguments of the types that `utfkit.Native` declares.
        #[unsafe(no_mangle)]
        #[allow(clippy::extra_unused_lifetimes)]
        unsafe extern "system" fn $name<'a>(
            env: *mut JNIEnv,
            _class: jclass,
            $($argument: <$kind as Argument>::Raw,)*
        ) -> <$result as Returned>::Raw {
            let work = |$env: Env<'a>| -> Result<$result, Thrown> {
                $(
                    // SAFETY: the caller promises it.
                    let $argument = unsafe { <$kind as Argument>::of($argument) }?;
                )*
                $work
            };
            // SAFETY: the caller promises it.
            unsafe { enter(env, work) }
        }
    )*};
}

exports! {
    fn Java_utfkit_Native_isValid(env, array: Bytes<'a>, start: i32, len: i32) -> bool {
        utf8::is_valid(Value::new(env, array, start, len)?)
    }
    fn Java_utfkit_Native_firstError(env, array: Bytes<'a>, start: i32, len: i32) -> Option<Bytes<'a>> {
        utf8::first_error(Value::new(env, array, start, len)?)
    }
    fn Java_utfkit_Native_makeValid(env, array: Bytes<'a>, start: i32, len: i32) -> Option<Bytes<'a>> {
        utf8::make_valid(Value::new(env, array, start, len)?)
    }
    fn Java_utfkit_Native_findings(env, array: Bytes<'a>, start: i32, len: i32, encoding: i32) -> Option<Bytes<'a>> {
        report::findings(Value::new(env, array, start, len)?, encoding)
    }
    fn Java_utfkit_Native_detect(env, array: Bytes<'a>, start: i32, len: i32) -> Option<Bytes<'a>> {
        report::detect(Value::new(env, array, start, len)?)
    }
    fn Java_utfkit_Native_isFallback(_env, encoding: i32) -> bool {
        repair::is_fallback(encoding)
    }
    fn Java_utfkit_Native_repair(env, array: Bytes<'a>, start: i32, len: i32, fallback: i32, flags: i32) -> Option<Bytes<'a>> {
        repair::repair(Value::new(env, array, start, len)?, fallback, flags)
    }
    fn Java_utfkit_Native_version(env) -> Option<Bytes<'a>> {
        env.bytes(env!("CARGO_PKG_VERSION").as_bytes())
    }
    fn Java_utfkit_Native_instructions(env) -> Option<Bytes<'a>> {
        env.bytes(engine::isa::active().to_string().as_bytes())
    }
    fn Java_utfkit_Native_encodings(env) -> Option<Bytes<'a>> {
        decode::encodings(env)
    }
    fn Java_utfkit_Native_encodingForLabel(env, label: Bytes<'a>) -> i32 {
        decode::encoding_for_label(Value::new(env, label, 0, env.len(label) as i32)?)
    }
    fn Java_utfkit_Native_characters(env, encoding: i32) -> Option<Bytes<'a>> {
        decode::characters(env, encoding)
    }
    fn Java_utfkit_Native_toUtf8(env, array: Bytes<'a>, start: i32, len: i32, encoding: i32) -> Option<Bytes<'a>> {
        decode::to_utf8(Value::new(env, array, start, len)?, encoding)
    }
    fn Java_utfkit_Native_toUtf8Within(env, array: Bytes<'a>, start: i32, len: i32, encoding: i32, scratch: Bytes<'a>) -> i32 {
        decode::to_utf8_within(env, Value::new(env, array, start, len)?, encoding, scratch)
    }
    fn Java_utfkit_Native_detectedToUtf8(env, array: Bytes<'a>, start: i32, len: i32) -> Option<Bytes<'a>> {
        decode::detected_to_utf8(Value::new(env, array, start, len)?)
    }
    fn Java_utfkit_Native_toText(env, array: Bytes<'a>, start: i32, len: i32, encoding: i32, strict: bool) -> Str<'a> {
        decode::to_string(Value::new(env, array, start, len)?, encoding, strict)
    }
    fn Java_utfkit_Native_encode(env, chars: Chars<'a>, len: i32, encoding: i32, strict: bool) -> Option<Bytes<'a>> {
        decode::encode(env, chars, len, encoding, strict)
    }
    fn Java_utfkit_Native_newCoder(_env, encoding: i32, decodes: bool) -> i64 {
        coders::new(encoding, decodes)
    }
    fn Java_utfkit_Native_resetCoder(_env, handle: i64) -> () {
        coders::reset(handle)
    }
    fn Java_utfkit_Native_freeCoder(_env, handle: i64) -> () {
        coders::free(handle)
    }
    fn Java_utfkit_Native_decodeStep(env, handle: i64, array: Bytes<'a>, len: i32, chars: Chars<'a>, capacity: i32, ends: bool, report: Ints<'a>) -> () {
        coders::decode(env, handle, Value::new(env, array, 0, len)?, (chars, capacity), ends, report)
    }
    fn Java_utfkit_Native_encodeStep(env, handle: i64, chars: Chars<'a>, len: i32, array: Bytes<'a>, capacity: i32, ends: bool, report: Ints<'a>) -> () {
        coders::encode(env, handle, (chars, len), (array, capacity), ends, report)
    }
    fn Java_utfkit_Native_newDetector(_env) -> i64 {
        coders::detector()
    }
    fn Java_utfkit_Native_feedDetector(env, handle: i64, array: Bytes<'a>, start: i32, len: i32) -> () {
        coders::feed(handle, Value::new(env, array, start, len)?)
    }
    fn Java_utfkit_Native_finishDetector(env, handle: i64) -> Option<Bytes<'a>> {
        coders::detected(env, handle)
    }
    fn Java_utfkit_Native_freeDetector(_env, handle: i64) -> () {
        coders::drop_detector(handle)
    }
}
