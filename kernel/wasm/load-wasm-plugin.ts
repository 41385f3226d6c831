import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'orch/sdk'
import { isObject } from '../../libs/json/index.js'
import { defineWasmPlugin } from './define-wasm-plugin.js'
import { WasmFailure } from './wasm-failure.js'

const maxManifestBytes = 1024 * 1024

/** The plugin of a `.wasm` file: its manifest is `name.json` beside it, or the key `orch` of the nearest package.json. */
export async function loadWasmPlugin(file: string): Promise<Plugin> {
  const beside = file.replace(/\.wasm$/, '.json')
  if (existsSync(beside)) return defineWasmPlugin(readFileSync(file), readJson(beside))
  const found = packageJsonAbove(dirname(file))
  const contents = found === undefined ? undefined : readJson(found)
  if (!isObject(contents) || contents['orch'] === undefined)
    throw new WasmFailure(`it has no manifest: write ${beside}, or the key "orch" of its package.json`)
  return defineWasmPlugin(readFileSync(file), contents['orch'])
}

function packageJsonAbove(folder: string): string | undefined {
  const file = join(folder, 'package.json')
  if (existsSync(file)) return file
  return folder === dirname(folder) ? undefined : packageJsonAbove(dirname(folder))
}

function readJson(file: string): unknown {
  if (statSync(file).size > maxManifestBytes) throw new WasmFailure(`${file} has more than ${maxManifestBytes} bytes`)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new WasmFailure(`${file} is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
