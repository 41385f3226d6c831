import type { GroupResource } from 'orch/sdk'
import { type Amounts, one } from '../amounts/amounts.js'
import type { Evaluator } from './evaluator.js'

/** Types of the core group that may also be counted by their plain name, from before every type could be counted. */
const plainNames = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets'])

/**
 * The quota resource that counts the objects of a type: `count/widgets.acme.test`, or `count/secrets` in the core
 * group.
 */
const countName = ({ group, resource }: GroupResource): string =>
  group === '' ? `count/${resource}` : `count/${resource}.${group}`

/** The type that a quota resource counts. */
export function countedType(resourceName: string): GroupResource | undefined {
  if (plainNames.has(resourceName)) return { group: '', resource: resourceName }
  if (!resourceName.startsWith('count/')) return undefined
  const name = resourceName.slice('count/'.length)
  const dot = name.indexOf('.')
  return dot < 0 ? { group: '', resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) }
}

/** Counts objects regardless of their content. */
export function objectCounter({ group, resource }: GroupResource): Evaluator {
  const names = [countName({ group, resource })]
  if (group === '' && plainNames.has(resource)) names.push(resource)
  const usage: Amounts = new Map(names.map(name => [name, one]))
  return {
    group,
    resource,
    uniform: names,
    counts: name => names.includes(name),
    usageOf: () => usage,
  }
}
