import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'
import { isPromise } from 'orch/sdk'
import type { Violation, ViolationKind } from '../isolation/plugin-messages.js'

/**
 * Node refuses files, programs and threads by itself, and tells only the caller. This tells the server as well, by looking at what functions
 * of Node throw. It protects from nothing: a plugin that avoids it is refused all the same.
 */
export function tellOfDenials(told: (violation: Violation) => void): void {
  const tell = (error: unknown) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_ACCESS_DENIED') return
    const { permission, resource } = Object.fromEntries(Object.entries(error))
    // What was refused here, and not by Node, was told then.
    if (permission === undefined) return
    // Where modules look for their package is no secret, and no wish of the plugin.
    if (/(package|tsconfig)\.json$|node_modules/.test(String(resource))) return
    const { kind, does } = kinds[String(permission)] ?? { kind: 'other', does: String(permission) }
    told({ kind, what: `${does} ${resource ?? ''}`.trim() })
  }
  for (const module of [fs, fs.promises, childProcess]) observe(module, tell)
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      try {
        super(...args)
      } catch (error) {
        tell(error)
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

function observe(module: object, tell: (error: unknown) => void): void {
  for (const [name, original] of Object.entries(module)) {
    // Classes begin with a capital letter; these are told of by what uses them.
    if (typeof original !== 'function' || !/^[a-z]/.test(name)) continue
    const observed = function (this: unknown, ...args: unknown[]) {
      const last = args.at(-1)
      if (typeof last === 'function')
        args[args.length - 1] = function (this: unknown, ...given: unknown[]) {
          tell(given[0])
          return Reflect.apply(last, this, given)
        }
      try {
        const returned: unknown = Reflect.apply(original, this, args)
        if (isPromise(returned)) returned.catch(tell)
        return returned
      } catch (error) {
        tell(error)
        throw error
      }
    }
    Reflect.set(module, name, Object.assign(observed, original))
  }
}
