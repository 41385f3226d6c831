import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Finding, fine, warning, wrong } from '../finding.js'

const mebibyte = 2 ** 20
/** With less, the store accepts no more data: the rest is reserved for deletes and compaction. */
const requiredBytes = 8 * mebibyte
/** A busy store writes this much within hours. */
const comfortableBytes = 512 * mebibyte
const oldestNode = 20
/** Each connection needs an open file, as does the store. */
const fewFiles = 1024

export function checkNode(version: string): Finding {
  const major = Number.parseInt(version.replace(/^v/, ''), 10)
  return major >= oldestNode
    ? fine(`Node ${version}`)
    : wrong(`Node ${version} is too old`, `Install Node ${oldestNode} or newer`)
}

/** `limits` is the text of /proc/self/limits; without it nothing is reported. */
export function checkOpenFiles(limits: string | undefined): Finding[] {
  const limit = /^Max open files\s+(\d+)/m.exec(limits ?? '')?.[1]
  if (limit === undefined) return []
  return Number(limit) < fewFiles
    ? [
        warning(
          `only ${limit} files may be open, and each connection is one`,
          'Raise it: ulimit -n 65536, or LimitNOFILE= of the systemd unit',
        ),
      ]
    : [fine(`${limit} files may be open`)]
}

/** Free space and inodes of a disk. */
export interface DiskSpace {
  readonly freeBytes: number
  /** 0 on file systems that do not count them. */
  readonly files: number
  readonly freeFiles: number
}

/** The free space of the disk that a path is on, or will be. */
export function diskSpaceAt(path: string): DiskSpace {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(path)
    return { freeBytes: bavail * bsize, files, freeFiles: ffree }
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    return diskSpaceAt(parent)
  }
}

export function checkDisk(folder: string, { freeBytes, files, freeFiles }: DiskSpace): Finding[] {
  const free = `${Math.floor(freeBytes / mebibyte)} MiB are free on the disk of ${folder}`
  const remedy = 'Free space there, or move the folder to another disk and name it with --data-dir'
  const space =
    freeBytes < requiredBytes
      ? wrong(`${free}: the store takes no more data`, remedy)
      : freeBytes < comfortableBytes
        ? warning(`only ${free}`, remedy)
        : fine(free)
  return files > 0 && freeFiles === 0 ? [space, wrong(`the disk of ${folder} can hold no more files`, remedy)] : [space]
}
