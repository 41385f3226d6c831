import { isRecord, timestampOf } from 'orch/sdk'
import { formatQuantity, parseQuantity } from 'orch/sdk/validation'
import type { AutoscalerCondition, Behavior } from './metric-structs.js'
import type { MetricSpec, MetricStatus } from './schema-v2beta1.js'

/**
 * Reads annotations that contain values without a field. Anyone can write them, so nothing in them is taken for granted: if any value has a
 * wrong type, the annotation as a whole means nothing. Field names are case-insensitive, unknown ones are ignored, and what is missing or
 * null gets the value that its type has in the reference: an empty text, no quantity, zero.
 */
type Read<T> = (value: unknown) => T

class WrongType extends Error {}

/** The value in an annotation; undefined if there is none, or a malformed one. */
function readAnnotation<T>(text: string | undefined, read: Read<T>): T | undefined {
  if (text === undefined) return undefined
  try {
    return read(JSON.parse(text))
  } catch {
    return undefined
  }
}

const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null

function text(value: unknown): string {
  if (isMissing(value)) return ''
  if (typeof value !== 'string') throw new WrongType()
  return value
}
/** A text that is left out if it is empty. */
const textOrNone = (value: unknown): string | undefined => text(value) || undefined

function int32(value: unknown): number {
  if (isMissing(value)) return 0
  if (typeof value !== 'number' || (value | 0) !== value) throw new WrongType()
  return value
}

function quantity(value: unknown): string {
  if (isMissing(value)) return '0'
  if (typeof value !== 'string' && typeof value !== 'number') throw new WrongType()
  return formatQuantity(parseQuantity(typeof value === 'string' ? value.trim() : value))
}

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
function time(value: unknown): string | undefined {
  if (isMissing(value)) return undefined
  const ms = typeof value === 'string' && timeForm.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms)) throw new WrongType()
  return timestampOf(ms)
}

const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  value =>
    isMissing(value) ? undefined : read(value)

const listOf =
  <T>(read: Read<T>): Read<T[]> =>
  value => {
    if (isMissing(value)) return []
    if (!Array.isArray(value)) throw new WrongType()
    return value.map(read)
  }

function entriesOf(value: unknown): [name: string, value: unknown][] {
  if (isMissing(value)) return []
  if (!isRecord(value)) throw new WrongType()
  return Object.entries(value)
}

const labels = (value: unknown): Record<string, string> =>
  Object.fromEntries(entriesOf(value).map(([name, label]) => [name, text(label)]))

const struct =
  <T extends object>(fields: { readonly [K in keyof T]-?: Read<T[K]> }): Read<T> =>
  value => {
    const given = new Map(entriesOf(value).map(([name, inner]) => [name.toLowerCase(), inner]))
    const values = Object.entries<Read<unknown>>(fields).map(
      ([name, read]) => [name, read(given.get(name.toLowerCase()))] as const,
    )
    return Object.fromEntries(values.filter(([, inner]) => inner !== undefined)) as T
  }

const selector = optional(
  struct({
    matchLabels: optional(labels),
    matchExpressions: optional(listOf(struct({ key: text, operator: text, values: optional(listOf(text)) }))),
  }),
)
const reference = struct({ kind: text, name: text, apiVersion: textOrNone })

const metricSpec = struct<MetricSpec>({
  type: text,
  object: optional(
    struct({
      target: reference,
      metricName: text,
      targetValue: quantity,
      selector,
      averageValue: optional(quantity),
    }),
  ),
  pods: optional(struct({ metricName: text, targetAverageValue: quantity, selector })),
  resource: optional(
    struct({
      name: text,
      targetAverageUtilization: optional(int32),
      targetAverageValue: optional(quantity),
    }),
  ),
  containerResource: optional(
    struct({
      name: text,
      targetAverageUtilization: optional(int32),
      targetAverageValue: optional(quantity),
      container: text,
    }),
  ),
  external: optional(
    struct({
      metricName: text,
      metricSelector: selector,
      targetValue: optional(quantity),
      targetAverageValue: optional(quantity),
    }),
  ),
})
export const readMetrics = (annotation: string | undefined): MetricSpec[] | undefined =>
  readAnnotation(annotation, listOf(metricSpec))

const metricStatus = struct<MetricStatus>({
  type: text,
  object: optional(
    struct({
      target: reference,
      metricName: text,
      currentValue: quantity,
      selector,
      averageValue: optional(quantity),
    }),
  ),
  pods: optional(struct({ metricName: text, currentAverageValue: quantity, selector })),
  resource: optional(struct({ name: text, currentAverageUtilization: optional(int32), currentAverageValue: quantity })),
  containerResource: optional(
    struct({
      name: text,
      currentAverageUtilization: optional(int32),
      currentAverageValue: quantity,
      container: text,
    }),
  ),
  external: optional(
    struct({
      metricName: text,
      metricSelector: selector,
      currentValue: quantity,
      currentAverageValue: optional(quantity),
    }),
  ),
})
export const readMeasured = (annotation: string | undefined): MetricStatus[] | undefined =>
  readAnnotation(annotation, listOf(metricStatus))

const condition = struct<AutoscalerCondition>({
  type: text,
  status: text,
  lastTransitionTime: time,
  reason: textOrNone,
  message: textOrNone,
})
export const readConditions = (annotation: string | undefined): AutoscalerCondition[] | undefined =>
  readAnnotation(annotation, listOf(condition))

const behavior = (tolerance: Read<string | undefined>) => {
  const policies = listOf(struct({ type: text, value: int32, periodSeconds: int32 }))
  const rules = optional(
    struct({
      stabilizationWindowSeconds: optional(int32),
      selectPolicy: optional(text),
      policies: optional(policies),
      tolerance,
    }),
  )
  return struct<Behavior>({ scaleUp: rules, scaleDown: rules })
}
const withTolerance = behavior(optional(quantity))
const withoutTolerance = behavior(() => undefined)
/** An empty behavior is none. Where it does not include the tolerance, that is an unknown field. */
export function readBehavior(annotation: string | undefined, includesTolerance: boolean): Behavior | undefined {
  const found = readAnnotation(annotation, includesTolerance ? withTolerance : withoutTolerance)
  return found && Object.keys(found).length > 0 ? found : undefined
}
