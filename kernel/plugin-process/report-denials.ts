import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'
import { isPromise } from 'orch/sdk'
import type { Violation, ViolationKind } from '../isolation/plugin-messages.js'

/**
 * Node itself denies access to files, child processes and threads, but reports that only to the caller. This reports it
 * to the server as well, by observing the errors that Node's functions throw. It is not a protection: a plugin that
 * bypasses it is still denied.
 */
export function reportDenials(notify: (violation: Violation) => void): void {
  const report = (error: unknown) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_ACCESS_DENIED') return
    const { permission, resource } = Object.fromEntries(Object.entries(error))
    // Denied by this process rather than by Node, and already reported.
    if (permission === undefined) return
    // Looking for package.json files is part of module resolution, not an action of the plugin.
    if (/(package|tsconfig)\.json$|node_modules/.test(String(resource))) return
    const { kind, does } = kinds[String(permission)] ?? { kind: 'other', does: String(permission) }
    notify({ kind, what: `${does} ${resource ?? ''}`.trim() })
  }
  for (const module of [fs, fs.promises, childProcess]) observe(module, report)
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      try {
        super(...args)
      } catch (error) {
        report(error)
        throw error
      }
    }
  }
  syncBuiltinESMExports()
}

const kinds: Readonly<Record<string, { readonly kind: ViolationKind; readonly does: string }>> = {
  FileSystemRead: { kind: 'file', does: 'read' },
  FileSystemWrite: { kind: 'file', does: 'write' },
  ChildProcess: { kind: 'program', does: 'start a program' },
  WorkerThreads: { kind: 'thread', does: 'start a thread' },
}

function observe(module: object, report: (error: unknown) => void): void {
  for (const [name, original] of Object.entries(module)) {
    // Names with a capital letter are classes; their uses are reported by the functions that create them.
    if (typeof original !== 'function' || !/^[a-z]/.test(name)) continue
    const observed = function (this: unknown, ...args: unknown[]) {
      const last = args.at(-1)
      if (typeof last === 'function')
        args[args.length - 1] = function (this: unknown, ...given: unknown[]) {
          report(given[0])
          return Reflect.apply(last, this, given)
        }
      try {
        const returned: unknown = Reflect.apply(original, this, args)
        if (isPromise(returned)) returned.catch(report)
        return returned
      } catch (error) {
        report(error)
        throw error
      }
    }
    Reflect.set(module, name, Object.assign(observed, original))
  }
}
