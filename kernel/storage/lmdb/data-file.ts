import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'orch/sdk'

export const dataFile = (storePath: string): string => join(storePath, 'data.mdb')

/** Layout of the two meta pages with which an LMDB file begins, in the machine's byte order. */
const magic = 0xbeefc0de
const magicOffset = 24
const pageSizeOffset = 48
const lastPageOffset = 144
const metaLength = 160

interface Meta {
  readonly pageSize: number
  readonly lastPage: number
}

/** Refuses a file that is not LMDB's: lmdb would not say so but kill the process. */
export function checkDataFile(path: string): void {
  readMetas(path)
}

/**
 * Refuses a copy that is cut off, because reading beyond its end kills the process. Only a compacted copy is known to be
 * whole by its size: a file in use may lack pages at its end that were freed before they were ever written.
 */
export function checkCompactedCopy(path: string): void {
  const { size, metas } = readMetas(path)
  for (const { lastPage, pageSize } of metas) {
    const needed = (lastPage + 1) * pageSize
    if (size < needed) throw new StorageError('corrupt', `${path} is cut off: ${size} bytes of ${needed}`)
  }
}

function readMetas(path: string): { size: number; metas: readonly Meta[] } {
  if (!existsSync(path)) return { size: 0, metas: [] }
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size === 0) return { size, metas: [] }
    const first = readMeta(file, 0)
    const second = first && readMeta(file, first.pageSize)
    if (first === undefined || second === undefined) throw new StorageError('corrupt', `${path} is not a store`)
    return { size, metas: [first, second] }
  } finally {
    closeSync(file)
  }
}

function readMeta(file: number, position: number): Meta | undefined {
  const bytes = new DataView(new ArrayBuffer(metaLength))
  if (readSync(file, bytes, 0, metaLength, position) < metaLength) return undefined
  const isLittleEndian = bytes.getUint32(magicOffset, true) === magic
  if (!isLittleEndian && bytes.getUint32(magicOffset, false) !== magic) return undefined
  return {
    pageSize: bytes.getUint32(pageSizeOffset, isLittleEndian),
    lastPage: Number(bytes.getBigUint64(lastPageOffset, isLittleEndian)),
  }
}
