import childProcess from 'node:child_process'
import inspector from 'node:inspector'
import inspectorPromises from 'node:inspector/promises'
import module, { createRequire, isBuiltin, syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import v8 from 'node:v8'
import type { ViolationKind } from '../isolation/plugin-messages.js'
import { type Deny, denyAll } from './access-denied.js'

type Denied = (object: object | undefined, names: readonly string[], kind: ViolationKind, what: string) => void

/**
 * Removes functions that reach other processes or bypass Node's permission model: signals to the server and to other
 * plugins, priorities, the inspector, and modules that write files without consulting that model. Some versions of Node
 * deny part of this themselves; here it is denied in all of them, and reported. With `mayStartPrograms` there is
 * nothing to protect.
 */
export function restrictProcess(mayStartPrograms: boolean, deny: Deny): void {
  const denied: Denied = (object, names, kind, what) => denyAll(object, names, () => deny(kind, what))
  if (!mayStartPrograms) {
    denied(process, ['kill', '_kill'], 'process', 'send a signal')
    denied(process, ['execve'], 'program', 'start a program')
    // Its handle can send signals without starting a program, to a process number that is left over in memory.
    denied(
      prototypeOf(Reflect.get(new childProcess.ChildProcess(), '_handle')),
      ['kill', 'spawn'],
      'program',
      'start a program',
    )
    denied(childProcess, ['ChildProcess'], 'program', 'start a program')
  }
  denied(process, ['_debugProcess', '_debugEnd'], 'process', 'debug a process')
  denied(process, ['binding', '_linkedBinding'], 'engine', 'use an internal binding')
  denied(process, ['dlopen'], 'engine', 'load a native addon')
  denied(process, ['loadEnvFile'], 'file', 'read a file of variables')
  denied(os, ['setPriority'], 'process', 'change a priority')
  for (const each of [inspector, inspectorPromises]) denied(each, ['open', 'Session'], 'engine', 'open the inspector')
  denied(v8, ['setFlagsFromString'], 'engine', 'change flags of the engine')
  denied(v8, ['writeHeapSnapshot', 'setHeapSnapshotNearHeapLimit', 'takeCoverage'], 'file', 'write a snapshot')
  denied(module, ['register'], 'thread', 'start a thread')
  denied(module, ['enableCompileCache'], 'file', 'write a cache')
  // Loaded here and not in servers or commands: Node warns of WASI, and has no trace events in threads, where tests may run a server.
  const load = createRequire(import.meta.url)
  denied(load('node:trace_events'), ['createTracing'], 'file', 'write a trace')
  denied(load('node:wasi'), ['WASI'], 'engine', 'use WASI')
  // Node does not consult its permission model for these files.
  if (isBuiltin('node:sqlite')) denied(load('node:sqlite'), ['DatabaseSync', 'backup'], 'file', 'open a database')
  restrictReports(denied)
  syncBuiltinESMExports()
}

/**
 * A report is a file with information about the machine. It would also be written at the end of a process that
 * requested it before.
 */
function restrictReports(denied: Denied): void {
  const reports = { writeReport() {}, getReport() {} }
  denied(reports, Object.keys(reports), 'file', 'write a report')
  Object.defineProperty(process, 'report', { value: Object.freeze(reports), enumerable: true })
}

export const prototypeOf = (handle: unknown): object | undefined =>
  typeof handle === 'object' && handle !== null ? (Object.getPrototypeOf(handle) ?? undefined) : undefined
