import { patchBetween } from 'orch/sdk/client'

/** One field of an object, before and after; undefined if it does not exist. */
export interface FieldChange {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Fields that change with every write. */
const ignored = /^\/metadata\/(resourceVersion|managedFields)$/

/** The differences between two states of an object by field. Additions and removals are reported as a whole. */
export function changedFields(before: object, after: object): FieldChange[] {
  return patchBetween(before, after).flatMap(({ op, path, ...operation }) => {
    if (ignored.test(path)) return []
    const steps = path.split('/').slice(1).map(unescaped)
    const old = op === 'add' ? undefined : valueAt(before, steps)
    return [
      {
        path: steps.reduce(joined, ''),
        ...(old === undefined ? {} : { before: old }),
        ...('value' in operation ? { after: operation.value } : {}),
      },
    ]
  })
}

const unescaped = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

function joined(path: string, step: string): string {
  if (/^\d+$/.test(step)) return `${path}[${step}]`
  const isPlain = /^[\w-]+$/.test(step)
  if (!isPlain) return `${path}[${JSON.stringify(step)}]`
  return path === '' ? step : `${path}.${step}`
}

function valueAt(object: unknown, steps: readonly string[]): unknown {
  let value = object
  for (const step of steps) value = (value as Record<string, unknown> | undefined)?.[step]
  return value
}
