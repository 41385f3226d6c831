import { isRecord } from '../resource/own-value.js'
/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }

/** A JSON pointer (RFC 6901): `patchPath('metadata', 'labels', 'a/b')` is `/metadata/labels/a~1b`. */
export const patchPath = (...steps: readonly (string | number)[]): string =>
  steps.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The operations that make `before` into `after`, both JSON values. Fields that are undefined count as missing. */
export function patchBetween(before: unknown, after: unknown): PatchOperation[] {
  const operations: PatchOperation[] = []
  compare(before, after, '', operations)
  return operations
}

type Fields = Record<string, unknown>

function compare(before: unknown, after: unknown, path: string, operations: PatchOperation[]): void {
  if (before === after) return
  if (isRecord(before) && isRecord(after)) return compareFields(before, after, path, operations)
  if (Array.isArray(before) && Array.isArray(after)) return compareItems(before, after, path, operations)
  operations.push({ op: 'replace', path, value: after })
}

function compareFields(before: Fields, after: Fields, path: string, operations: PatchOperation[]): void {
  const has = (fields: Fields, name: string) => Object.hasOwn(fields, name) && fields[name] !== undefined
  for (const name of Object.keys(before))
    if (has(before, name) && !has(after, name)) operations.push({ op: 'remove', path: path + patchPath(name) })
  for (const name of Object.keys(after)) {
    if (!has(after, name)) continue
    const at = path + patchPath(name)
    if (has(before, name)) compare(before[name], after[name], at, operations)
    else operations.push({ op: 'add', path: at, value: after[name] })
  }
}

/** Equal items at both ends are left alone; those between them are changed one by one, then added or removed. */
function compareItems(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  operations: PatchOperation[],
): void {
  const isEqual = (left: unknown, right: unknown) => patchBetween(left, right).length === 0
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isEqual(before[head], after[head])) head++
  let tail = 0
  while (tail < shorter - head && isEqual(before.at(-1 - tail), after.at(-1 - tail))) tail++
  const [oldEnd, newEnd] = [before.length - tail, after.length - tail]
  const both = Math.min(oldEnd, newEnd)
  for (let i = head; i < both; i++) compare(before[i], after[i], path + patchPath(i), operations)
  for (let i = oldEnd - 1; i >= both; i--) operations.push({ op: 'remove', path: path + patchPath(i) })
  for (let i = both; i < newEnd; i++) operations.push({ op: 'add', path: path + patchPath(i), value: after[i] })
}
