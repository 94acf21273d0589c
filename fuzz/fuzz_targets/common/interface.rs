//! The C interface, as `hashwell.h` declares it. The functions are linked by name with the library in
//! `hashwell_ffi_fuzzed`.
#![allow(dead_code)] // each target uses only some of the items

use hashwell_ffi_fuzzed as _;
use std::ffi::{CStr, c_char, c_int, c_void};

/// Enough bytes for every state that `hw_hash_export` writes.
pub const HW_HASH_EXPORT_MAX: usize = 4096;

pub type State = *mut c_void;
pub type Export = unsafe extern "C" fn(state: State, out: *mut u8, out_len: usize, written: *mut usize) -> c_int;
pub type Import = unsafe extern "C" fn(state: State, data: *const u8, len: usize) -> c_int;
pub type Entropy = unsafe extern "C" fn(context: *mut c_void, out: *mut u8, len: usize) -> c_int;
pub type HmacFunction = unsafe extern "C" fn(
    context: *mut c_void,
    key: *const u8,
    key_len: usize,
    pieces: *const *const u8,
    lengths: *const usize,
    count: usize,
    tag: *mut u8,
) -> c_int;

/// `hw_node` in the header.
#[repr(C)]
pub struct CNode {
    pub node_offset: u64,
    pub leaf_len: u32,
    pub fanout: u8,
    pub max_depth: u8,
    pub node_depth: u8,
    pub inner_len: u8,
    pub last_node: u8,
}

/// `hw_params` in the header.
#[repr(C)]
pub struct CParams {
    pub size: usize,
    pub output_len: usize,
    pub key: *const u8,
    pub key_len: usize,
    pub salt: *const u8,
    pub salt_len: usize,
    pub personal: *const u8,
    pub personal_len: usize,
    pub customization: *const u8,
    pub customization_len: usize,
    pub function_name: *const u8,
    pub function_name_len: usize,
    pub context: *const u8,
    pub context_len: usize,
    pub kernel: *const c_char,
    pub domain: c_int,
    pub node: *const CNode,
}

/// `hw_kernel_info` in the header.
#[repr(C)]
pub struct KernelInfo {
    pub name: *const c_char,
    pub batch: c_int,
    pub available: c_int,
    pub chosen: c_int,
}

/// `hw_drbg_params` in the header.
#[repr(C)]
pub struct CDrbgParams {
    pub size: usize,
    pub personalization: *const u8,
    pub personalization_len: usize,
    pub kernel: *const c_char,
    pub reseed_interval: u64,
    pub strength: u32,
    pub prediction_resistance: u32,
}

/// Memory that is large enough for any state, and aligned like one.
#[derive(Clone)]
#[repr(C, align(16))]
pub struct Place(pub [u8; 3200]);

impl Place {
    pub fn new() -> Box<Self> {
        Box::new(Self([0; 3200]))
    }

    pub fn state(&mut self) -> State {
        self.0.as_mut_ptr().cast()
    }
}

pub fn text(text: *const c_char) -> Option<&'static str> {
    // SAFETY: NULL or a static string of the library.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str().expect("it is UTF-8"))
}

unsafe extern "C" {
    pub fn hw_find(name: *const c_char) -> u32;
    pub fn hw_abi_version() -> u32;
    pub fn hw_version() -> *const c_char;
    pub fn hw_strerror(code: c_int) -> *const c_char;
    pub fn hw_count() -> usize;
    pub fn hw_at(index: usize) -> u32;
    pub fn hw_name(id: u32) -> *const c_char;
    pub fn hw_title(id: u32) -> *const c_char;
    pub fn hw_source(id: u32) -> *const c_char;
    pub fn hw_alias(id: u32, index: usize) -> *const c_char;
    pub fn hw_block_len(id: u32) -> usize;
    pub fn hw_output_len(id: u32) -> usize;
    pub fn hw_kind(id: u32) -> c_int;
    pub fn hw_status(id: u32) -> c_int;
    pub fn hw_has_hmac(id: u32) -> c_int;
    pub fn hw_param_name(parameter: c_int) -> *const c_char;
    pub fn hw_limits(id: u32, parameter: c_int, min: *mut u64, max: *mut u64) -> c_int;
    pub fn hw_kernel(id: u32, index: usize, out: *mut KernelInfo) -> c_int;

    pub fn hw_hash(id: u32, data: *const u8, len: usize, out: *mut u8, out_len: usize) -> c_int;
    pub fn hw_hash_new(out: *mut State, id: u32, params: *const CParams) -> c_int;
    pub fn hw_hash_update(state: State, data: *const u8, len: usize) -> c_int;
    pub fn hw_hash_export(state: State, out: *mut u8, out_len: usize, written: *mut usize) -> c_int;
    pub fn hw_hash_import(state: State, data: *const u8, len: usize) -> c_int;
    pub fn hw_hash_export_secret(state: State, out: *mut u8, out_len: usize, written: *mut usize) -> c_int;
    pub fn hw_hash_import_secret(state: State, data: *const u8, len: usize) -> c_int;
    pub fn hw_hmac_export_secret(state: State, out: *mut u8, out_len: usize, written: *mut usize) -> c_int;
    pub fn hw_hmac_import_secret(state: State, data: *const u8, len: usize) -> c_int;
    pub fn hw_kmac_export_secret(state: State, out: *mut u8, out_len: usize, written: *mut usize) -> c_int;
    pub fn hw_kmac_import_secret(state: State, data: *const u8, len: usize) -> c_int;
    pub fn hw_hash_message_len(state: State) -> u64;
    pub fn hw_hash_final(state: *const c_void, out: *mut u8, out_len: usize) -> c_int;
    pub fn hw_hash_wipe(state: State);
    pub fn hw_hash_free(state: State);
    pub fn hw_hash_many(
        id: u32,
        params: *const CParams,
        messages: *const *const u8,
        lengths: *const usize,
        count: usize,
        out: *mut u8,
        out_len: usize,
    ) -> c_int;
    pub fn hw_hash_with(
        id: u32,
        params: *const CParams,
        data: *const u8,
        len: usize,
        out: *mut u8,
        out_len: usize,
    ) -> c_int;
    pub fn hw_hash_size() -> usize;
    pub fn hw_hash_align() -> usize;
    pub fn hw_hash_init(state: State, id: u32, params: *const CParams) -> c_int;
    pub fn hw_hash_output_len(state: *const c_void) -> usize;
    pub fn hw_hash_algorithm(state: *const c_void) -> u32;
    pub fn hw_hash_kernel(state: *const c_void) -> *const c_char;

    pub fn hw_xof_new(out: *mut State, hash: *const c_void) -> c_int;
    pub fn hw_xof_read(state: State, out: *mut u8, len: usize) -> c_int;
    pub fn hw_xof_seek(state: State, position: u64) -> c_int;
    pub fn hw_xof_tell(state: *const c_void, position: *mut u64) -> c_int;
    pub fn hw_xof_free(state: State);
    pub fn hw_xof_size() -> usize;
    pub fn hw_xof_align() -> usize;
    pub fn hw_xof_init(state: State, hash: *const c_void) -> c_int;
    pub fn hw_xof_init_kmac(state: State, kmac: *const c_void) -> c_int;
    pub fn hw_xof_ml_rej_uniform(
        state: State,
        below: u64,
        bits: u32,
        out: *mut u8,
        item_len: usize,
        count: usize,
    ) -> c_int;
    pub fn hw_xof_wipe(state: State);

    pub fn hw_streams_new(
        out: *mut State,
        id: u32,
        params: *const CParams,
        seeds: *const *const u8,
        lengths: *const usize,
        count: usize,
    ) -> c_int;
    pub fn hw_streams_read(state: State, out: *mut u8, out_len: usize) -> c_int;
    pub fn hw_streams_count(state: *const c_void) -> usize;
    pub fn hw_streams_tell(state: *const c_void, position: *mut u64) -> c_int;
    pub fn hw_streams_free(state: State);

    pub fn hw_hmac_many(
        id: u32,
        keys: *const *const u8,
        key_lengths: *const usize,
        key_count: usize,
        messages: *const *const u8,
        lengths: *const usize,
        count: usize,
        tags: *mut u8,
        tags_len: usize,
    ) -> c_int;
    pub fn hw_hmac_new(out: *mut State, id: u32, key: *const u8, key_len: usize) -> c_int;
    pub fn hw_hmac_update(state: State, data: *const u8, len: usize) -> c_int;
    pub fn hw_hmac_final(state: *const c_void, tag: *mut u8, tag_len: usize) -> c_int;
    pub fn hw_hmac_verify(state: *const c_void, tag: *const u8, tag_len: usize) -> c_int;
    pub fn hw_hmac_reset(state: State) -> c_int;
    pub fn hw_hmac_free(state: State);
    pub fn hw_hmac(
        id: u32,
        key: *const u8,
        key_len: usize,
        data: *const u8,
        len: usize,
        tag: *mut u8,
        tag_len: usize,
    ) -> c_int;
    pub fn hw_hmac_size() -> usize;
    pub fn hw_hmac_align() -> usize;
    pub fn hw_hmac_init(state: State, id: u32, key: *const u8, key_len: usize) -> c_int;
    pub fn hw_hmac_wipe(state: State);

    pub fn hw_kmac(
        bits: c_int,
        key: *const u8,
        key_len: usize,
        customization: *const u8,
        customization_len: usize,
        data: *const u8,
        len: usize,
        tag: *mut u8,
        tag_len: usize,
    ) -> c_int;
    pub fn hw_kmac_size() -> usize;
    pub fn hw_kmac_align() -> usize;
    pub fn hw_kmac_init(
        state: State,
        bits: c_int,
        key: *const u8,
        key_len: usize,
        customization: *const u8,
        customization_len: usize,
    ) -> c_int;
    pub fn hw_kmac_new(
        out: *mut State,
        bits: c_int,
        key: *const u8,
        key_len: usize,
        customization: *const u8,
        customization_len: usize,
    ) -> c_int;
    pub fn hw_kmac_update(state: State, data: *const u8, len: usize) -> c_int;
    pub fn hw_kmac_final(state: *const c_void, tag: *mut u8, tag_len: usize) -> c_int;
    pub fn hw_kmac_verify(state: *const c_void, tag: *const u8, tag_len: usize) -> c_int;
    pub fn hw_kmac_reset(state: State) -> c_int;
    pub fn hw_kmac_wipe(state: State);
    pub fn hw_kmac_free(state: State);

    pub fn hw_compare(a: *const u8, b: *const u8, len: usize) -> c_int;
    pub fn hw_hkdf(
        id: u32,
        ikm: *const u8,
        ikm_len: usize,
        salt: *const u8,
        salt_len: usize,
        info: *const u8,
        info_len: usize,
        okm: *mut u8,
        okm_len: usize,
    ) -> c_int;
    pub fn hw_hkdf_extract(
        id: u32,
        ikm: *const u8,
        ikm_len: usize,
        salt: *const u8,
        salt_len: usize,
        prk: *mut u8,
        prk_len: usize,
    ) -> c_int;
    pub fn hw_hkdf_expand(
        id: u32,
        prk: *const u8,
        prk_len: usize,
        info: *const u8,
        info_len: usize,
        okm: *mut u8,
        okm_len: usize,
    ) -> c_int;

    pub fn hw_drbg_size() -> usize;
    pub fn hw_drbg_align() -> usize;
    pub fn hw_drbg_init(
        state: State,
        id: u32,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int;
    pub fn hw_drbg_new(
        out: *mut State,
        id: u32,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int;
    pub fn hw_drbg_init_unchecked(
        state: State,
        id: u32,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int;
    pub fn hw_drbg_init_from(
        state: State,
        id: u32,
        source: Option<Entropy>,
        context: *mut c_void,
        params: *const CDrbgParams,
    ) -> c_int;
    pub fn hw_drbg_reseed(
        state: State,
        entropy: *const u8,
        entropy_len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    pub fn hw_drbg_generate(
        state: State,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    pub fn hw_drbg_fill(
        state: State,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    pub fn hw_drbg_generate_from(
        state: State,
        source: Option<Entropy>,
        context: *mut c_void,
        prediction_resistance: c_int,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    pub fn hw_drbg_requests_left(state: *const c_void) -> u64;
    pub fn hw_drbg_strength(state: *const c_void) -> u32;
    pub fn hw_drbg_self_test(id: u32) -> c_int;
    pub fn hw_drbg_wipe(state: State);
    pub fn hw_drbg_free(state: State);

    pub fn hw_drbg_custom_size() -> usize;
    pub fn hw_drbg_custom_align() -> usize;
    pub fn hw_drbg_custom_init(
        state: State,
        output_len: usize,
        function: Option<HmacFunction>,
        context: *mut c_void,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int;
    pub fn hw_drbg_custom_new(
        out: *mut State,
        output_len: usize,
        function: Option<HmacFunction>,
        context: *mut c_void,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int;
    pub fn hw_drbg_custom_init_unchecked(
        state: State,
        output_len: usize,
        function: Option<HmacFunction>,
        context: *mut c_void,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int;
    pub fn hw_drbg_custom_reseed(
        state: State,
        entropy: *const u8,
        entropy_len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    pub fn hw_drbg_custom_generate(
        state: State,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    pub fn hw_drbg_custom_fill(
        state: State,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    pub fn hw_drbg_custom_requests_left(state: *const c_void) -> u64;
    pub fn hw_drbg_custom_strength(state: *const c_void) -> u32;
    pub fn hw_drbg_custom_wipe(state: State);
    pub fn hw_drbg_custom_free(state: State);

    pub fn hw_random_size() -> usize;
    pub fn hw_random_align() -> usize;
    pub fn hw_random_init(state: State, id: u32, params: *const CDrbgParams) -> c_int;
    pub fn hw_random_new(out: *mut State, id: u32, params: *const CDrbgParams) -> c_int;
    pub fn hw_random_read(state: State, out: *mut u8, len: usize) -> c_int;
    pub fn hw_random_reseed(state: State, additional: *const u8, additional_len: usize) -> c_int;
    pub fn hw_random_wipe(state: State);
    pub fn hw_random_free(state: State);

    pub fn hw_source_new(
        out: *mut State,
        name: *const c_char,
        seed: *const u8,
        seed_len: usize,
        personalization: *const u8,
        personalization_len: usize,
    ) -> c_int;
    pub fn hw_source_read(state: State, out: *mut u8, len: usize) -> c_int;
    pub fn hw_source_seek(state: State, low: u64, high: u64) -> c_int;
    pub fn hw_source_tell(state: *const c_void, low: *mut u64, high: *mut u64) -> c_int;
    pub fn hw_source_free(state: State);
    pub fn hw_source_at(index: usize) -> *const c_char;
    pub fn hw_source_new_os(
        out: *mut State,
        name: *const c_char,
        personalization: *const u8,
        personalization_len: usize,
    ) -> c_int;
    pub fn hw_source_new_key(
        out: *mut State,
        name: *const c_char,
        key: *const u8,
        key_len: usize,
        jumps: u64,
        spawned: u64,
    ) -> c_int;
    pub fn hw_source_key(
        state: *const c_void,
        key: *mut u8,
        key_len: usize,
        jumps: *mut u64,
        spawned: *mut u64,
    ) -> c_int;
    pub fn hw_source_name(state: *const c_void) -> *const c_char;
    pub fn hw_source_next_u32(state: State, number: *mut u32) -> c_int;
    pub fn hw_source_next_u64(state: State, number: *mut u64) -> c_int;
    pub fn hw_source_next_double(state: State, number: *mut f64) -> c_int;
    pub fn hw_source_end(state: *const c_void, low: *mut u64, high: *mut u64) -> c_int;
    pub fn hw_source_is_seekable(state: *const c_void) -> c_int;
    pub fn hw_source_spawn(state: State, child: *mut State) -> c_int;
    pub fn hw_source_jumped(state: *const c_void, jumps: u64, out: *mut State) -> c_int;
    pub fn hw_source_seed_others(state: *const c_void, out: *mut u8, len: usize) -> c_int;
}
