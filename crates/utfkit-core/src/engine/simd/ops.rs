//! The operations that kernels are written in.

/// Operations of an instruction set that are one expression, a row each. All are inlined.
// Some targets have the scalar codecs alone.
#[allow(unused_macros)]
macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        fn $name:ident $(<$(const $constant:ident: $type:ty),+>)? ($($arguments:tt)*) $(-> $result:ty)? = $body:expr;
    )*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            fn $name $(<$(const $constant: $type),+>)? ($($arguments)*) $(-> $result)? {
                $body
            }
        )*
    };
}

/// [`operations!`] of a few instructions. With debug assertions, which mostly means without optimisation, the compiler
/// chooses whether to inline them: there a call is less to compile. With optimisation it inlines what is this small.
#[allow(unused_macros)]
macro_rules! instructions {
    ($(
        $(#[$doc:meta])*
        fn $name:ident $(<$(const $constant:ident: $type:ty),+>)? ($($arguments:tt)*) $(-> $result:ty)? = $body:expr;
    )*) => {
        $(
            $(#[$doc])*
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $name $(<$(const $constant: $type),+>)? ($($arguments)*) $(-> $result)? {
                $body
            }
        )*
    };
}
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(super) use {instructions, operations};

/// The operations of one instruction set on its vectors of bytes.
///
/// A value of an implementing type is a token: it exists only where detection found the
/// instructions, so every operation is safe to call. All of them are `#[inline(always)]`, the rows of
/// `instructions!` in builds without debug assertions; a kernel must itself be inlined into a function
/// that enables the instructions, or each operation becomes a call.
///
/// Lanes are numbered from 0, the byte at the lowest address. In a mask of
/// `u64`, bit `i` is lane `i`; the bits above the lanes are zero.
pub(crate) trait Simd: Copy + Sized {
    /// One register of bytes.
    type V: Copy;
    /// A condition for each lane, of 8, 16 or 32 bits: a mask, or a vector of lanes with all bits set or none.
    type C: Copy;

    /// How whole blocks are asked and written.
    type Blocks: Blocks<Self>;

    /// The bytes of a register: 16, 32 or 64.
    const LANES: usize;
    /// True if a register has 64 bytes. Without optimisation, the code behind a condition is dropped if the
    /// condition is a constant, but not if it is a comparison of constants.
    const IS_BLOCK: bool = Self::LANES == 64;
    /// True if a register has 16 bytes.
    const IS_NARROW: bool = Self::LANES == 16;
    /// True if [`lookup64`](Simd::lookup64) is one instruction.
    const WIDE_LOOKUP: bool;

    /// True if one instruction closes the gaps between the lanes to keep.
    const COMPRESS: bool;
    /// The number of registers that are validated between two branches. Divides the number of
    /// registers of a block.
    const TOGETHER: usize = 64 / Self::LANES;
    /// True if kernels convert ill-formed text. Otherwise they stop there, for the scalar codecs.
    const MENDS: bool = true;

    /// The bytes of `bytes` from `at` on; 0 in the lanes after its end.
    fn load_padded(self, bytes: &[u8], at: usize) -> Self::V;
    /// The lanes of `a` from `BY` on, followed by lanes of `b`. With a negative `BY`, the last `-BY` lanes
    /// of `a`, followed by lanes of `b`. `BY` is 1, 2, -1, -2 or -3; for any other the result is `b`.
    fn across<const BY: isize>(self, a: Self::V, b: Self::V) -> Self::V;
    /// The `LANES` bytes of `bytes` from `at` on.
    fn load(self, bytes: &[u8], at: usize) -> Self::V;
    /// Copies `from` to `to`, which are of the same length, at most 256 bytes, without a call.
    fn copy(self, from: &[u8], to: &mut [u8]);
    /// Writes `v` to the `LANES` bytes of `bytes` from `at` on.
    fn store(self, v: Self::V, bytes: &mut [u8], at: usize);
    /// `word` in every lane of 32 bits.
    fn splat32(self, word: u32) -> Self::V;
    /// `table` in every 16 lanes.
    fn table16(self, table: &[u8; 16]) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`, or 0 where `b` is greater.
    fn saturating_sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// `table[index & 15]` for each lane, or 0 if the top bit of the index is
    /// set.
    fn lookup16(self, table: Self::V, index: Self::V) -> Self::V;
    /// `table[index & 63]` for each lane.
    fn lookup64(self, table: &[u8; 64], index: Self::V) -> Self::V;

    // On lanes of `W` bits, little-endian: 8, 16 or 32.

    fn add<const W: usize>(self, a: Self::V, b: Self::V) -> Self::V;
    /// Each lane shifted left. `W` is 16 or 32.
    fn shl<const W: usize, const N: i32>(self, v: Self::V) -> Self::V;
    /// Each lane shifted right, zeros coming in.
    fn shr<const W: usize, const N: i32>(self, v: Self::V) -> Self::V;
    /// `a > b`, signed.
    fn gt<const W: usize>(self, a: Self::V, b: Self::V) -> Self::C;
    /// `a == b`. `W` is 16 or 32.
    fn same<const W: usize>(self, a: Self::V, b: Self::V) -> Self::C;
    /// The lanes where the condition holds, a bit a lane.
    fn bits<const W: usize>(self, c: Self::C) -> u64;
    /// The condition that holds in the lanes of `bits`.
    fn cond<const W: usize>(self, bits: u64) -> Self::C;
    /// `a` where the condition holds, `b` elsewhere.
    fn select<const W: usize>(self, c: Self::C, a: Self::V, b: Self::V) -> Self::V;
    /// `count + 1` where the condition holds.
    fn count<const W: usize>(self, count: Self::V, c: Self::C) -> Self::V;
    /// The lower (`UPPER`: upper) half of the lanes, each as one of twice as many bits. `W` is 8 or 16.
    fn spread<const W: usize, const UPPER: bool>(self, v: Self::V) -> Self::V;

    // Questions, and conditions on lanes of one width.

    /// Lanes whose top bit is set.
    fn msb(self, v: Self::V) -> u64;
    /// True if any lane has its top bit set.
    fn any_msb(self, v: Self::V) -> bool;
    /// True if any lane is not 0.
    fn any_nonzero(self, v: Self::V) -> bool;
    /// `a >= b`, unsigned.
    fn ge(self, a: Self::V, b: Self::V) -> Self::C;
    /// True if the conditions differ in some lane.
    fn differ(self, a: Self::C, b: Self::C) -> bool;
    /// The lanes where one of two conditions holds.
    fn either(self, a: Self::C, b: Self::C) -> Self::C;

    // From lanes of one width to those of another.

    /// Of each lane of 16 bits, `aaaaaaaa 00bbbbbb`, `a << 6 | b`.
    fn fold16(self, v: Self::V) -> Self::V;
    /// The lesser one of each two lanes of 16 bits, signed.
    fn min16(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lanes of 16 bits of both as bytes, saturated to FF, and anything for a negative lane. In
    /// any order, except that a register of 32 bytes has eight of `a` and eight of `b` in turns.
    fn pack16(self, a: Self::V, b: Self::V) -> Self::V;
    /// `table[lane >> 7]`, or 0 where that is beyond the table, for the lanes of 16 bits
    /// of both as bytes. In any order. Entries 0 and 15 may be different from the others, which are the same.
    fn lookup_above7(self, table: &[u8; 16], a: Self::V, b: Self::V) -> Self::V;
    /// The sum of all bytes.
    fn sum(self, v: Self::V) -> usize;
    /// The lower bytes of the lanes of 16 bits of both, in order. The upper
    /// bytes are 0, or the result is anything.
    fn narrow16(self, v: [Self::V; 2]) -> Self::V;
    /// The lowest bytes of the lanes of 32 bits of all, in order. The others
    /// are 0, or the result is anything.
    fn narrow32(self, v: [Self::V; 4]) -> Self::V;
    /// The lower 16 bits of each lane of 32 bits, first of `lower`, then of `upper`.
    /// The upper bits are 0.
    fn join32(self, lower: Self::V, upper: Self::V) -> Self::V;
    /// The bits of each lane of 32 bits from 18, 12, 6 and 0 on, in the lower six of its
    /// first, second, third and fourth byte. The upper two may be anything,
    /// but in the fourth byte they are the next ones. All bits from 21 on are
    /// 0.
    fn sixes(self, v: Self::V) -> Self::V;

    // Stores to `out` from `at` on, without gaps. They return the bytes that were written; the
    // bytes of a register may all be overwritten, or where two or four bytes are made of one, of so many registers.

    /// Writes the lower byte of each lane of 16 bits, `LANES / 2` bytes. The upper bytes are 0.
    fn narrow(self, v: Self::V, out: &mut [u8], at: usize);
    /// Writes each byte as a unit of 32 bits, `4 * LANES` bytes.
    fn widen32(self, v: Self::V, out: &mut [u8], at: usize);
    /// Writes the lanes in `keep`.
    fn emit8(self, v: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the units `high << 8 | low` of the lanes in `keep`.
    fn emit16(self, low: Self::V, high: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the units `high << 16 | middle << 8 | low` (each a plane of
    /// bytes; no high plane is one of zeros) of the lanes in `keep`.
    fn emit32(self, planes: Planes<Self::V>, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes of each lane `first`, if it is in `keep`, and `second`.
    fn emit_zipped(self, first: Self::V, second: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the lanes in `keep`, the first three bytes
    /// of `by` in place of each that is in `replace` as well. The
    /// `3 * LANES + 4` bytes from `at` on may all be overwritten. Bit 6 of the third byte is 0.
    fn emit_replaced(self, v: Self::V, keep: u64, replace: u64, by: [u8; 4], out: &mut [u8], at: usize) -> usize;
    /// Writes the bytes of lanes of 16 bits, of those in `one` only the second.
    fn emit_pairs(self, v: Self::V, one: Self::C, out: &mut [u8], at: usize) -> usize;
    /// Writes the two bytes of each lane of 16 bits of `upper` and the second one of
    /// `lower`; of the lanes in `two` without the first byte; of the lanes in
    /// `one`, which are also in `two`, only the first byte of `lower`. The `2 * LANES` bytes from `at` on
    /// may all be overwritten.
    fn emit_triples(
        self,
        upper: Self::V,
        lower: Self::V,
        one: Self::C,
        two: Self::C,
        out: &mut [u8],
        at: usize,
    ) -> usize;
    /// Writes the units `upper << 16 | lower` of the lanes of 16 bits in `keep`.
    fn emit_joined(self, lower: Self::V, upper: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the lanes of 32 bits in `keep`.
    fn emit_words(self, v: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the two units of 16 bits of each lane of 32 bits, without the first where
    /// its top bit is clear.
    fn emit_halves(self, v: Self::V, out: &mut [u8], at: usize) -> usize;
    /// Writes of each lane of 32 bits those bytes that are not FF. Only the first one, two or three
    /// bytes of a lane may be FF.
    fn emit_quads(self, v: Self::V, out: &mut [u8], at: usize) -> usize;

    // Built of others, and never anything else.

    /// `byte` in every lane.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn splat(self, byte: u8) -> Self::V {
        self.splat32(u32::from(byte) * 0x0101_0101)
    }
    /// `unit` in every lane of 16 bits.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn splat16(self, unit: u16) -> Self::V {
        self.splat32(u32::from(unit) * 0x0001_0001)
    }
    /// `v` where the condition holds, 0 elsewhere.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep(self, c: Self::C, v: Self::V) -> Self::V {
        self.select::<8>(c, v, self.splat(0))
    }
}

/// How whole blocks of registers are asked and written: by the operations of [`Simd`] for each register, or by
/// something that several registers share. What a strategy does not define is done register by register.
///
/// A lane of `drop`, which names the lanes that are left out, of `one` or `two` is FF or 00.
pub(crate) trait Blocks<S: Simd> {
    /// True if what a block becomes is written at once, because the masks of four registers cost little more than
    /// that of one.
    const AT_ONCE: bool;
    /// True if registers of 16-bit units are written by twos.
    const BY_TWOS: bool;
    /// The bytes that may be overwritten after twice the bytes of a block.
    const SPILL: usize;

    /// Each byte of `upper` shifted left by `N`, with the lower `N` bits of `lower`.
    #[inline(always)]
    fn insert<const N: i32>(s: S, lower: S::V, upper: S::V) -> S::V {
        let mask = s.splat(0xFF << N);
        s.or(s.and(s.shl::<16, N>(upper), mask), s.and(lower, s.xor(mask, s.splat(0xFF))))
    }
    /// The lower bytes of the lanes of 16 bits of both, then the upper ones.
    #[inline(always)]
    fn planes16(s: S, a: S::V, b: S::V) -> [S::V; 2] {
        let lower = s.splat16(0x00FF);
        [s.narrow16([s.and(a, lower), s.and(b, lower)]), s.narrow16([s.shr::<16, 8>(a), s.shr::<16, 8>(b)])]
    }
    /// The greatest lane of `W` bits, 16 or 32.
    #[inline(always)]
    fn greatest<const W: usize>(s: S, v: S::V) -> u32 {
        let bytes = lanes(s, v);
        let lanes = bytes[..S::LANES].chunks_exact(W / 8);
        lanes.fold(0, |most, lane| most.max(lane.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))))
    }
    /// The lesser one of each two bytes.
    #[inline(always)]
    fn lesser(s: S, a: S::V, b: S::V) -> S::V {
        s.select::<8>(s.ge(a, b), b, a)
    }
    /// The least byte of both.
    #[inline(always)]
    fn least(s: S, a: S::V, b: S::V) -> u8 {
        lanes(s, Self::lesser(s, a, b))[..S::LANES].iter().fold(0xFF, |least, byte| least.min(*byte))
    }
    /// [`Simd::emit8`] of a block, to the front of `out`, which has the spill too.
    #[inline(always)]
    fn emit8(s: S, v: [S::V; 4], drop: [S::V; 4], out: &mut [u8]) -> usize {
        let mut written = 0;
        for (v, drop) in v.into_iter().zip(drop) {
            written += s.emit8(v, s.bits::<8>(s.ge(s.splat(0), drop)), out, written);
        }
        written
    }
    /// [`Simd::emit16`] of a block, to the front of `out`, which has the spill too.
    #[inline(always)]
    fn emit16(s: S, low: [S::V; 4], high: [S::V; 4], drop: [S::V; 4], out: &mut [u8]) -> usize {
        let mut written = 0;
        for i in 0..4 {
            written += s.emit16(low[i], high[i], s.bits::<8>(s.ge(s.splat(0), drop[i])), out, written);
        }
        written
    }
    /// [`Simd::emit32`] of a block, to the front of `out`, which has twice the spill too. All
    /// have a high plane, or none has.
    #[inline(always)]
    fn emit32(s: S, planes: [Planes<S::V>; 4], drop: [S::V; 4], out: &mut [u8]) -> usize {
        let mut written = 0;
        for (planes, drop) in planes.into_iter().zip(drop) {
            written += s.emit32(planes, s.bits::<8>(s.ge(s.splat(0), drop)), out, written);
        }
        written
    }
    /// Writes of each lane `first`, unless it is in `one`, and `second`, to the front
    /// of `out`, without gaps, and returns how many bytes. 128 bytes may be overwritten.
    #[inline(always)]
    fn emit_pairs(s: S, first: [S::V; 2], second: [S::V; 2], one: [S::V; 2], out: &mut [u8]) -> usize {
        let mut written = 0;
        for i in 0..2 {
            written += s.emit_zipped(first[i], second[i], s.bits::<8>(s.ge(s.splat(0), one[i])), out, written);
        }
        written
    }
    /// Writes of each lane `first`, unless it is in `two`, `second`, unless it is in
    /// `one`, and `third`, to the front of `out`, without gaps, and returns how
    /// many bytes. The lanes in `one` are also in `two`. 128 bytes may be overwritten.
    #[inline(always)]
    fn emit_triples(s: S, planes: [[S::V; 2]; 3], two: [S::V; 2], one: [S::V; 2], out: &mut [u8]) -> usize {
        let mut written = 0;
        for i in 0..2 {
            let [first, second, third] = planes.map(|plane| lanes(s, plane[i]));
            let (two, one) = (lanes(s, two[i]), lanes(s, one[i]));
            for lane in 0..S::LANES {
                for (byte, dropped) in [(first[lane], two[lane]), (second[lane], one[lane]), (third[lane], 0)] {
                    out[written] = byte;
                    written += usize::from(dropped == 0);
                }
            }
        }
        written
    }
    /// [`Simd::emit_pairs`] of two registers, one after the other: both bytes of the lanes of `two` that are
    /// FFFF, the second byte of all others. The `2 * LANES` bytes from `at` on may all be overwritten.
    #[inline(always)]
    fn emit_two_of_pairs(s: S, v: [S::V; 2], two: [S::V; 2], out: &mut [u8], at: usize) -> usize {
        let one = |two| s.same::<16>(two, s.splat(0));
        let first = s.emit_pairs(v[0], one(two[0]), out, at);
        first + s.emit_pairs(v[1], one(two[1]), out, at + first)
    }
    /// [`Simd::emit_triples`] of two registers, one after the other. The top bits of `classes` say of each lane, in
    /// the first byte, that it is not in `two`, and in the second one that it is not in `one`; in
    /// they may say anything of lanes that are not in `two`. The `4 * LANES` bytes from `at` on may all be
    /// overwritten.
    #[inline(always)]
    fn emit_classes(s: S, upper: [S::V; 2], lower: [S::V; 2], classes: [S::V; 2], out: &mut [u8], at: usize) -> usize {
        let mut written = 0;
        for i in 0..2 {
            let has_none = |bits| s.same::<16>(s.and(classes[i], s.splat16(bits)), s.splat(0));
            written += s.emit_triples(upper[i], lower[i], has_none(0x8080), has_none(0x0080), out, at + written);
        }
        written
    }
    /// [`Simd::emit_quads`] of two registers, one after the other. The bytes that are left out are the first one of
    /// the lanes of `odd` that are FFFFFFFF, and two more of the lanes of `two`; they may be anything.
    #[inline(always)]
    fn emit_two_of_quads(s: S, v: [S::V; 2], odd: [S::V; 2], two: [S::V; 2], out: &mut [u8], at: usize) -> usize {
        let mut written = 0;
        for i in 0..2 {
            let first = s.and(s.or(odd[i], two[i]), s.splat32(0xFF));
            let second = s.and(two[i], s.splat32(0xFF00));
            let third = s.and(s.and(odd[i], two[i]), s.splat32(0xFF_0000));
            written += s.emit_quads(s.or(s.or(v[i], first), s.or(second, third)), out, at + written);
        }
        written
    }
}

/// [`Blocks`] by the operations for single registers.
#[cfg_attr(target_arch = "aarch64", allow(dead_code))]
pub(crate) struct ByRegister;

/// The lanes of a register as bytes.
#[inline(always)]
fn lanes<S: Simd>(s: S, v: S::V) -> [u8; 64] {
    let mut bytes = [0; 64];
    s.store(v, &mut bytes, 0);
    bytes
}

impl<S: Simd> Blocks<S> for ByRegister {
    const AT_ONCE: bool = false;
    const BY_TWOS: bool = false;
    const SPILL: usize = 0;
}

/// The bytes of units of 32 bits, one of each unit in a register.
#[derive(Clone, Copy)]
pub(crate) struct Planes<V> {
    pub(crate) low: V,
    pub(crate) middle: V,
    /// Zeros, if it is not there. The highest plane always is.
    pub(crate) high: Option<V>,
}
