import { timestampOf } from 'orch/sdk'
import type { NamespaceCondition } from 'orch/sdk/core'
import type { Contents } from './empty-namespace.js'

/** The conditions of a terminating namespace, in order, with their messages for success and failure. */
const conditions: readonly {
  type: string
  success: { reason: string; message: string }
  failure(contents: Contents): { reason: string; message: string } | undefined
}[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    success: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    failure: ({ undiscovered }) =>
      undiscovered.length === 0
        ? undefined
        : {
            reason: 'DiscoveryFailed',
            message: `Discovery failed for some groups, ${undiscovered.length} failing: unable to retrieve the complete list of server APIs: ${undiscovered.join(', ')}`,
          },
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    success: { reason: 'ParsedGroupVersions', message: 'All legacy types successfully parsed' },
    failure: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    success: { reason: 'ContentDeleted', message: 'All content successfully deleted, may be waiting on finalization' },
    failure: ({ failures }) =>
      failures.length === 0
        ? undefined
        : {
            reason: 'ContentDeletionFailed',
            message: `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`,
          },
  },
  {
    type: 'NamespaceContentRemaining',
    success: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    failure: ({ remaining }) =>
      remaining.size === 0
        ? undefined
        : {
            reason: 'SomeResourcesRemain',
            message: `Some resources are remaining: ${listed(remaining, (type, count) => `${type} has ${count} resource instances`)}`,
          },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    success: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    failure: ({ finalizers }) =>
      finalizers.size === 0
        ? undefined
        : {
            reason: 'SomeFinalizersRemain',
            message: `Some content in the namespace has finalizers remaining: ${listed(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
          },
  },
]

const listed = (counts: ReadonlyMap<string, number>, describe: (name: string, count: number) => string) =>
  [...counts]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, count]) => describe(name, count))
    .join(', ')

/** The conditions after an attempt to empty the namespace. Undefined when they are as before. */
export function nextConditions(
  contents: Contents,
  before: readonly NamespaceCondition[],
  now: number,
): NamespaceCondition[] | undefined {
  const time = timestampOf(now)
  let isChanged = false
  const own = conditions.map(({ type, success, failure }) => {
    const problem = failure(contents)
    const next = { type, status: problem ? 'True' : 'False', ...(problem ?? success) }
    const old = before.find(condition => condition.type === type)
    if (old && old.status === next.status && old.reason === next.reason && old.message === next.message) return old
    isChanged = true
    return { ...next, lastTransitionTime: old?.status === next.status ? old.lastTransitionTime : time }
  })
  if (!isChanged) return undefined
  const types = conditions.map(({ type }) => type)
  return [...before.filter(({ type }) => !types.includes(type)), ...own]
}
