/** The initial data of every server of an installation, created once: keys, certificates and the first objects of a store. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandContext } from 'orch/sdk'
import { referenceVendor } from './reference-programs.js'
import { type KnownNames, serverLoops } from './serve-flags.js'

const namesFile = 'known-names.json'
const preparedFolder = 'prepared'
const firstObjectsFile = 'first-objects.json'

/** Options of every server here. Temporary servers need not wait for requests in progress. */
export const commonFlags: readonly string[] = [
  `--vendor=${referenceVendor}`,
  '--default-namespace-cpu-request=0',
  '--shutdown-grace-period=0s',
  '--storage-engine=memory',
  // On a machine that runs test suites, delays of the event loop are normal.
  '--event-loop-warning=0s',
]

/** Runs a server once until it is ready, to create the initial data. */
export async function prepareData(
  host: CommandContext['host'],
  folder: string,
  flags: readonly string[],
): Promise<void> {
  const dataDir = join(folder, preparedFolder)
  const words = [
    ...commonFlags,
    ...firstObjects(folder),
    '--memory-snapshot-save',
    '--secure-port=0',
    `--controllers=${serverLoops.join(',')}`,
    ...flags,
  ]
  let names: KnownNames | undefined
  const log: string[] = []
  const code = await host.serve([...words, `--data-dir=${dataDir}`], {
    whenReady({ admissionControls, featureGates, stop }) {
      names = { admissionControls, featureGates }
      stop()
    },
    log: line => void log.push(line),
  })
  if (code !== 0 || names === undefined)
    throw new Error(`the server that creates the initial data did not start:\n${log.join('')}`)
  writeFileSync(join(folder, namesFile), JSON.stringify(names))
}

export const knownNames = (folder: string): KnownNames =>
  JSON.parse(readFileSync(join(folder, namesFile), 'utf8')) as KnownNames

/** Flags that load the first objects into a store. */
export const firstObjects = (folder: string): readonly string[] => [
  `--memory-snapshot=${join(folder, firstObjectsFile)}`,
]

/** Copies keys and certificates to a new data folder, where a server can renew them. */
export function copyKeys(folder: string, dataDir: string): void {
  const [from, to] = [join(folder, preparedFolder, 'pki'), join(dataDir, 'pki')]
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name))
}
