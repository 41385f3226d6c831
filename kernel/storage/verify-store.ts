import { setImmediate as nextTurn } from 'node:timers/promises'
import { bodyPrefix, type MaintenanceProgress, type Revision, type VerifyResult } from 'orch/sdk/host'
import type { Environment, Scan } from './lmdb/environment.js'
import { recordWrittenAt, revisionKey } from './lmdb/read-log.js'
import {
  bodyOf,
  bodyStartOf,
  decodeEntry,
  modRevisionOf,
  pastKey,
  pastRevisionStart,
  previousOf,
  readRevision,
  type State,
} from './revision.js'

const maxProblems = 100
const itemsPerRead = 1000

interface Item {
  readonly key: Buffer
  readonly value: Buffer
}

/**
 * Walks the entire store and checks the invariants of the engine. A store in use may change between two reads, so
 * comparisons across databases happen within one read, and what was compacted meanwhile is skipped.
 */
export async function verifyEnvironment(
  environment: Environment,
  progress: MaintenanceProgress = () => {},
): Promise<VerifyResult> {
  const problems: string[] = []
  const report = (problem: string | undefined): void => {
    if (problem !== undefined && problems.length < maxProblems) problems.push(problem)
  }
  environment.refresh()
  const { revision, compacted } = environment.readState()
  if (compacted > revision) report(`the compacted revision ${compacted} is after the newest revision ${revision}`)
  let keys = 0
  let historyEntries = 0
  let expected = compacted + 1

  await eachBatch(environment, environment.scanCurrent, undefined, (items, state) => {
    keys += items.length
    for (const { key, value } of items) report(checkRecord(`object ${key}`, value, state))
    progress('Checked', keys, environment.keyCount())
  })
  await eachBatch(environment, environment.scanLog, revisionKey(compacted + 1), (items, state) => {
    for (const { key, value } of items) {
      const found = readRevision(key, 0)
      if (found > state.revision)
        report(`the log holds revision ${found}, which is after the newest, ${state.revision}`)
      // Entries compacted since the walk began are legitimately missing.
      if (found !== Math.max(expected, state.compacted + 1)) report(`the log jumps from ${expected - 1} to ${found}`)
      expected = found + 1
      historyEntries++
      report(checkEntry(environment, found, value, state))
    }
  })
  if (Math.max(expected, environment.readState().compacted + 1) <= revision) {
    report(`the log ends at ${expected - 1}, but the newest revision is ${revision}`)
  }
  await eachBatch(environment, environment.scanPast, undefined, (items, state) => {
    for (const { key, value } of items) report(checkPast(environment, key, value, state))
  })
  return { isSound: problems.length === 0, problems, revision, compactedRevision: compacted, keys, historyEntries }
}

function checkRecord(name: string, record: Buffer, { revision }: State): string | undefined {
  if (record.length < 12 || bodyStartOf(record) > record.length) return `${name} is truncated`
  const modRevision = modRevisionOf(record)
  if (modRevision > revision) return `${name} was written at ${modRevision}, which is after the newest revision`
  const body = bodyOf(record).toString()
  if (!body.startsWith(`${bodyPrefix}"resourceVersion":"${modRevision}"`)) {
    return `${name} does not begin with the resourceVersion of its last write, ${modRevision}`
  }
  try {
    JSON.parse(body)
    return undefined
  } catch (error) {
    return `${name} is not JSON: ${String(error)}`
  }
}

function checkEntry(environment: Environment, revision: Revision, bytes: Buffer, state: State): string | undefined {
  const name = `revision ${revision} of the log`
  try {
    const { type, key, previous, last } = decodeEntry(bytes)
    if ((type === 'create') !== (previous === undefined)) return `${name}: a ${type} with the wrong past`
    if (previous !== undefined) {
      const pointer = environment.past.getBinaryFast(pastKey(key, revision))
      if (pointer === undefined) return `${name}: it is missing in the index of past keys`
      const problem = checkRecord(`${name}: the past of ${key}`, previous, state)
      if (problem !== undefined) return problem
    }
    if (last !== undefined) return checkRecord(`${name}: the last body of ${key}`, last, state)
    if (type !== 'delete') recordWrittenAt(environment, key, revision)
    return undefined
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`
  }
}

function checkPast({ log }: Environment, pointer: Buffer, value: Buffer, { compacted }: State): string | undefined {
  const start = pastRevisionStart(pointer.length)
  const revision = readRevision(pointer, start)
  const name = `past key ${pointer.subarray(0, start - 1)} at ${revision}`
  if (revision <= compacted) return `${name} should have been compacted`
  const entry = log.getBinary(revision)
  if (entry === undefined) return `${name} has no entry in the log`
  const previous = previousOf(entry)
  if (decodeEntry(entry).key !== pointer.toString('utf8', 0, start - 1))
    return `${name} is the log entry of another key`
  if (previous === undefined || modRevisionOf(previous) !== readRevision(value, 0))
    return `${name} is not what it replaced`
  return undefined
}

/** Hands out copies of all items, some at a time, each time with the state of the snapshot they come from. */
async function eachBatch(
  environment: Environment,
  scan: Scan,
  first: Buffer | undefined,
  check: (items: readonly Item[], state: State) => void,
): Promise<void> {
  let start = first ?? Buffer.alloc(0)
  let isAfterStart = false
  for (;;) {
    const items: Item[] = []
    scan.visit = (value, size) => {
      const { bytes, start: from, end } = scan.key
      items.push({ key: Buffer.from(bytes.subarray(from, end)), value: Buffer.from(value.subarray(0, size)) })
    }
    for (const _ of scan.database.getRange({ start, exclusiveStart: isAfterStart, limit: itemsPerRead }));
    const last = items.at(-1)
    if (last === undefined) return
    check(items, environment.readState())
    start = last.key
    isAfterStart = true
    await nextTurn()
  }
}
