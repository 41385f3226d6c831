import type { ApiObject } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { BatchNames } from '../../names.js'
import type { Job, JobCondition } from '../schema.js'

export type StoredJob = ApiObject & Job
export type StoredPod = ApiObject & Pod

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed'
/** The condition that says how the job ended, if it has. */
export const endOf = ({ status }: Job): JobCondition | undefined =>
  (status?.conditions ?? []).find(({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True')

/** The number of a Pod of an indexed job; undefined if it has none that counts. */
export function indexOf({ metadata }: StoredPod, { completionIndex }: BatchNames): number | undefined {
  const text = metadata.annotations?.[completionIndex] ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** `1,3-5,7,8` of numbers in any order: a hyphen stands for what is between. */
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
/** The numbers of such a text. */
export function numbersOf(ranges: string | undefined): number[] {
  return (ranges ?? '').split(',').flatMap(range => {
    const [first = '', last = first] = range.split('-')
    if (first === '') return []
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i)
  })
}
