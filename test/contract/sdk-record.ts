import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sdkDoors } from '../../sdk/plugin/doors.js'
import { root } from '../architecture/sources.js'

/** A release of the sdk: the versions of its entry points, and the declarations that authors compile against, by path. */
export interface SdkRecord {
  readonly versions: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
}

/** The folder of releases. Its files never change: they are what authors got. */
const records = join(root, 'test/contract/records')

/** The file that declares an entry point, relative to the folder of the declarations. */
export const fileOfDoor = (door: string): string => `${door.replace('orch/', '')}/index.d.ts`

/** The sdk as it was compiled last. */
export function currentSdk(): SdkRecord {
  const files: Record<string, string> = {}
  const open = Object.keys(sdkDoors).map(fileOfDoor)
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    // The test kit refers to the kernel, which is not part of the contract.
    if (path in files || !/^(sdk|libs)\//.test(path)) continue
    const text = readFileSync(join(root, 'dist', path), 'utf8').replace(/\n\/\/# sourceMappingURL.*\n?$/, '\n')
    files[path] = text
    for (const [, target] of text.matchAll(/(?:from |import\(?)["'](\.[^"']+)\.js["']/g))
      open.push(join(dirname(path), `${target}.d.ts`))
  }
  return { versions: sdkDoors, files }
}

/** The last release: the one with the highest version. */
export function lastRelease(): SdkRecord {
  const [newest] = readdirSync(records)
    .filter(name => name.endsWith('.json.gz'))
    .sort((left, right) => right.localeCompare(left, 'en', { numeric: true }))
  if (newest === undefined) throw new Error(`no release of the sdk is recorded in ${records}`)
  return JSON.parse(gunzipSync(readFileSync(join(records, newest))).toString()) as SdkRecord
}

/** Stores a release under the version of the main entry point. */
export function writeRecord(record: SdkRecord): void {
  const { 'orch/sdk': version } = record.versions
  writeFileSync(join(records, `sdk-${version}.json.gz`), gzipSync(JSON.stringify(record), { level: 9 }))
}

/** Writes the declarations of a release into a folder, for the compiler. */
export function unpack(record: SdkRecord, folder: string): void {
  for (const [path, text] of Object.entries(record.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
