import type { ApiObject } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { BatchNames } from '../../names.js'
import type { Job, JobCondition } from '../schema.js'

export type StoredJob = ApiObject & Job
export type StoredPod = ApiObject & Pod

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed'
/** The terminal condition of the job, if it has finished. */
export const endOf = ({ status }: Job): JobCondition | undefined =>
  (status?.conditions ?? []).find(({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True')

/** The index of a Pod of an indexed job; undefined if it has none. */
export function indexOf({ metadata }: StoredPod, { completionIndex }: BatchNames): number | undefined {
  const text = metadata.annotations?.[completionIndex] ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** Formats numbers in any order as `1,3-5,7,8`. */
export function rangesOf(numbers: Iterable<number>): string {
  const ranges: { first: number; last: number }[] = []
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range && range.last === number - 1) range.last = number
    else ranges.push({ first: number, last: number })
  }
  const textOf = ({ first, last }: (typeof ranges)[number]) =>
    first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`
  return ranges.map(textOf).join(',')
}
/** Far more than a job can complete: a forged status must not exhaust the memory. */
const maxIndexes = 10_000_000

/** Parses such a text. */
export function numbersOf(ranges: string | undefined): number[] {
  const numbers: number[] = []
  for (const range of (ranges ?? '').split(',')) {
    const [first = '', last = first] = range.split('-')
    if (first === '') continue
    if (numbers.length + Number(last) - Number(first) >= maxIndexes)
      throw new Error(`the status of the job lists more than ${maxIndexes} indexes`)
    for (let number = Number(first); number <= Number(last); number++) numbers.push(number)
  }
  return numbers
}
