import { isRecord } from 'orch/sdk'
import { UsageError } from '../../usage-error.js'

/** One step of a JSON patch (RFC 6902). */
export interface PatchStep {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
const wordsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map(word => word.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Applies the steps to a copy of the object. */
export function jsonPatched<T>(object: T, steps: readonly PatchStep[], origin: string): T {
  let result: unknown = structuredClone(object)
  for (const step of steps) {
    const missing = () => new UsageError(`${origin}: there is nothing at ${step.path} to ${step.op}`)
    const read = (pointer: string) =>
      wordsOf(pointer).reduce<unknown>((value, word) => {
        const found = Array.isArray(value) ? value[Number(word)] : isRecord(value) ? value[word] : undefined
        if (found === undefined) throw missing()
        return found
      }, result)
    const write = (pointer: string, change: (parent: Record<string, unknown> | unknown[], key: string) => void) => {
      const words = wordsOf(pointer)
      const key = words.pop()
      if (key === undefined) throw new UsageError(`${origin}: a patch cannot ${step.op} the whole object`)
      const parent = words.length === 0 ? result : read(`/${words.map(word => word.replaceAll('/', '~1')).join('/')}`)
      if (!Array.isArray(parent) && !isRecord(parent)) throw missing()
      change(parent as Record<string, unknown> | unknown[], key)
    }
    const put = (pointer: string, value: unknown) =>
      write(pointer, (parent, key) => {
        if (Array.isArray(parent)) parent.splice(key === '-' ? parent.length : Number(key), 0, value)
        else parent[key] = value
      })
    const take = (pointer: string) =>
      write(pointer, (parent, key) => {
        if (Array.isArray(parent)) parent.splice(Number(key), 1)
        else delete parent[key]
      })
    switch (step.op) {
      case 'add':
        put(step.path, step.value)
        break
      case 'remove':
        read(step.path)
        take(step.path)
        break
      case 'replace':
        read(step.path)
        write(step.path, (parent, key) => {
          if (Array.isArray(parent)) parent[Number(key)] = step.value
          else parent[key] = step.value
        })
        break
      case 'copy':
        put(step.path, structuredClone(read(step.from ?? '')))
        break
      case 'move': {
        const value = read(step.from ?? '')
        take(step.from ?? '')
        put(step.path, value)
        break
      }
      case 'test':
        if (!same(read(step.path), step.value))
          throw new UsageError(`${origin}: ${step.path} is not what the patch says`)
        break
      default:
        throw new UsageError(`${origin}: a patch has no step "${step.op}"`)
    }
    result = result as T
  }
  return result as T
}
