import { closeSync, cpSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SeededRandom } from '../../fuzz/seeded-random.js'

const pageBytes = 4096

/** How a replica can be damaged while its server is down. `aside` may have an older replica of the same server. */
const ways: Readonly<Record<string, (place: string, aside: string, random: SeededRandom) => void>> = {
  'is deleted': place => rmSync(place, { recursive: true, force: true }),
  'loses its data': place => rmSync(join(place, 'store'), { recursive: true, force: true }),
  'loses its marker file': place => rmSync(join(place, 'use.json'), { force: true }),
  'is cut off': (place, _, random) =>
    onData(place, (file, bytes) => ftruncateSync(file, random.between(0, Math.max(0, bytes - 1)))),
  'has a page of zeros': (place, _, random) => onData(place, (file, bytes) => overwrite(file, bytes, random, 0)),
  'has a page of garbage': (place, _, random) =>
    onData(place, (file, bytes) => overwrite(file, bytes, random, random.between(1, 255))),
  'is replaced by an older one': (place, aside) => {
    if (existsSync(aside)) {
      rmSync(place, { recursive: true, force: true })
      cpSync(aside, place, { recursive: true })
    }
  },
}

/** Damages the replica in a data folder that no process uses, and keeps a copy for later. */
export function spoilReplica(dataDir: string, random: SeededRandom): void {
  const place = join(dataDir, 'replica/0')
  const aside = join(dataDir, 'replica-of-before')
  if (!existsSync(place)) return
  const earlier = `${aside}.next`
  cpSync(place, earlier, { recursive: true })
  ways[random.pick(Object.keys(ways))]!(place, aside, random)
  rmSync(aside, { recursive: true, force: true })
  cpSync(earlier, aside, { recursive: true })
  rmSync(earlier, { recursive: true, force: true })
}

function onData(place: string, change: (file: number, bytes: number) => void): void {
  const path = join(place, 'store/data.mdb')
  if (!existsSync(path)) return
  const file = openSync(path, 'r+')
  try {
    change(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}
/** Overwrites a page with a page number: LMDB has no checksum for the middle of a large value, so damage there would go unnoticed. */
function overwrite(file: number, bytes: number, random: SeededRandom, value: number): void {
  const number = Buffer.alloc(8)
  const pages = Array.from({ length: Math.floor(bytes / pageBytes) }, (_, page) => page).filter(page => {
    readSync(file, number, 0, number.length, page * pageBytes)
    return number.readBigUInt64LE() === BigInt(page)
  })
  if (pages.length > 0) writeSync(file, Buffer.alloc(pageBytes, value), 0, pageBytes, random.pick(pages) * pageBytes)
}
