/** What every server of an installation begins with, made once: keys, certificates and the first objects of a store. */
import { constants, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandContext } from 'orch/sdk'
import { referenceVendor } from './reference-programs.js'
import { serverLoops } from './serve-flags.js'

const controlsFile = 'admission-controls.json'
/** Below a data folder. Locks are not among them: they tell who uses a folder. */
const stored = ['data-folder.json', join('store', 'data.mdb')]

/** Options of every server here. Data that nobody keeps need not wait for requests that nobody reads the answers of. */
export const commonFlags: readonly string[] = [
  `--vendor=${referenceVendor}`,
  '--default-namespace-cpu-request=0',
  '--shutdown-grace-period=0s',
]

/** Serves once, for as long as it takes to have everything. */
export async function prepareData(
  host: CommandContext['host'],
  folder: string,
  flags: readonly string[],
): Promise<void> {
  const dataDir = join(folder, 'prepared')
  const words = [...commonFlags, '--secure-port=0', `--controllers=${serverLoops.join(',')}`, '--v=0', ...flags]
  let controls: readonly string[] = []
  const log: string[] = []
  const code = await host.serve([...words, `--data-dir=${dataDir}`], {
    whenReady(server) {
      controls = server.admissionControls
      server.stop()
    },
    log: line => void log.push(line),
  })
  if (code !== 0 || controls.length === 0)
    throw new Error(`the server that prepares what others begin with did not start:\n${log.join('')}`)
  writeFileSync(join(folder, controlsFile), JSON.stringify(controls))
}

export const knownControls = (folder: string): readonly string[] =>
  JSON.parse(readFileSync(join(folder, controlsFile), 'utf8')) as string[]

/** Fills a new data folder. `isWhole` says that the first objects are wanted, too. */
export function copyPrepared(folder: string, dataDir: string, isWhole: boolean): void {
  const prepared = join(folder, 'prepared')
  mkdirSync(join(dataDir, 'store'), { recursive: true, mode: 0o700 })
  cpSync(join(prepared, 'pki'), join(dataDir, 'pki'), { recursive: true })
  if (isWhole)
    for (const name of stored) copyFileSync(join(prepared, name), join(dataDir, name), constants.COPYFILE_FICLONE)
}
