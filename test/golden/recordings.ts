import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { byText } from './canonical-order.js'
import type { Exceptions } from './replay.js'
import type { Scenario } from './scenario.js'
import { goldenFolder } from './server-flags.js'

/**
 * The recordings of versions after 1.23 that differ from those of the version before, in one compressed file: a line each, sorted by
 * scenario and then by version, because those of one scenario are similar.
 */
const file = join(goldenFolder, 'recordings.jsonl.br')
/** All lines of one scenario fit into the window of the compressor. */
const windowBits = 24

/** The versions after 1.23 of which there are recordings, oldest first. */
export const recordedVersions = ['1.25', '1.27', '1.30', '1.33', '1.36'] as const
export type RecordedVersion = (typeof recordedVersions)[number]

export interface Recording {
  readonly version: string
  readonly scenario: Scenario
}

export function loadRecordings(): readonly Recording[] {
  if (!existsSync(file)) return []
  const lines = brotliDecompressSync(readFileSync(file)).toString('utf8').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line))
}

/** Replaces the recordings of a version. */
export function writeRecordings(version: RecordedVersion, scenarios: readonly Scenario[]): void {
  const others = loadRecordings().filter(recording => recording.version !== version)
  const all = [...others, ...scenarios.map(scenario => ({ version, scenario }))]
  all.sort((one, other) => byText(one.scenario.file, other.scenario.file) || byText(one.version, other.version))
  const text = Buffer.from(all.map(recording => `${JSON.stringify(recording)}\n`).join(''))
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_LGWIN]: windowBits, [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_SIZE_HINT]: text.length }
  writeFileSync(file, brotliCompressSync(text, { params }))
}

/** The scenarios with other responses than in the previous version, or that it does not have: equal ones are replayed once. */
export function changedSince(before: readonly Scenario[], scenarios: readonly Scenario[]): Scenario[] {
  const known = new Set(before.map(scenario => JSON.stringify(scenario)))
  return scenarios.filter(scenario => !known.has(JSON.stringify(scenario)))
}

/** Intended differences from the recordings of a version, with their reasons. */
export function exceptionsOf(version: string): Exceptions {
  const name = version === '1.23' ? 'golden-exceptions.json' : `golden-exceptions-${version}.json`
  const path = join(goldenFolder, '..', name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}
