import { isObject, writeJson } from '../../libs/json/index.js'
import type { Changes, Reviewed } from '../isolation/plugin-messages.js'

/** What code of the plugin said during one call. */
export interface Gathered {
  warn(text: string): void
  annotate(key: string, value: string, level: string): void
  answer(): Pick<Reviewed, 'warnings' | 'annotations'>
}

export function gather(): Gathered {
  const warnings: string[] = []
  const annotations: [string, string, string][] = []
  return {
    warn: text => void warnings.push(text),
    annotate: (key, value, level) => void annotations.push([key, value, level]),
    answer: () => ({
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(annotations.length === 0 ? {} : { annotations }),
    }),
  }
}

export const fieldsOf = (object: unknown): ReadonlyMap<string, string> =>
  new Map(isObject(object) ? Object.entries(object).map(([name, value]) => [name, writeJson(value) ?? 'null']) : [])

/** The fields that differ; most calls change none or one. */
export function changesSince(before: ReadonlyMap<string, string>, object: unknown): Changes {
  if (!isObject(object)) return {}
  const set = Object.entries(object).filter(
    ([name, value]) => value !== undefined && before.get(name) !== writeJson(value),
  )
  const unset = [...before.keys()].filter(name => object[name] === undefined)
  return {
    ...(set.length === 0 ? {} : { set: Object.fromEntries(set) }),
    ...(unset.length === 0 ? {} : { unset }),
  }
}
