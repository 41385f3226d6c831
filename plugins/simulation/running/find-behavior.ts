import { type ApiObject, parseDuration } from 'orch/sdk'
import { controllerOf } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import { readConfiguration } from 'orch/sdk/files'
import { Behavior, type ContainerBehavior, checkBehavior, type Match, type Rule } from './behavior.js'

/** The Pods of a job end by themselves, unless a rule says otherwise. */
const jobRule: Rule = { match: { ownerKinds: ['Job'] }, runFor: '1s' }

/** The behavior of a Pod: what its annotation says, or the first rule that matches it. Throws for an annotation that is wrong. */
export function findBehavior(pod: ApiObject & Pod, rules: readonly Rule[], annotation: string): Behavior {
  const own = pod.metadata.annotations?.[annotation]
  if (own !== undefined) return readAnnotation(own, annotation)
  return rules.find(({ match }) => isMatch(pod, match)) ?? (isMatch(pod, jobRule.match) ? jobRule : {})
}

function readAnnotation(text: string, annotation: string): Behavior {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`annotation ${annotation} is not JSON: ${(error as Error).message}`)
  }
  const given = { of: () => value, pathFor: (_: string, file: string) => file }
  const behavior = readConfiguration(given, `annotation ${annotation}`, Behavior) ?? {}
  checkBehavior(behavior, annotation)
  return behavior
}

/** The same for readers: an invalid annotation is ignored, since the agent reports it. */
export function behaviorOrNone(pod: ApiObject & Pod, rules: readonly Rule[], annotation: string): Behavior {
  try {
    return findBehavior(pod, rules, annotation)
  } catch {
    return {}
  }
}

/** The same for one of its containers. Init containers end immediately by default. */
export function behaviorOf(behavior: Behavior, container: string, isInit: boolean): ContainerBehavior {
  const own = behavior.containers?.[container]
  if (isInit) return { runFor: '0s', ...own }
  return own ? { ...behavior, ...own } : behavior
}

export const msOf = (duration: string | undefined): number => (duration === undefined ? 0 : parseDuration(duration))

function isMatch(pod: ApiObject & Pod, match: Match = {}): boolean {
  const { namespace = '', labels = {}, annotations = {}, uid = '' } = pod.metadata
  const has = (there: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>> = {}) =>
    Object.entries(wanted).every(([key, value]) => there[key] === value)
  return (
    (match.namespaces?.includes(namespace) ?? true) &&
    has(labels, match.labels) &&
    has(annotations, match.annotations) &&
    (match.ownerKinds?.includes(controllerOf(pod)?.kind ?? '') ?? true) &&
    (match.images?.some(image => pod.spec.containers.some(one => isLike(one.image ?? '', image))) ?? true) &&
    (match.share === undefined || fractionOf(uid) < match.share)
  )
}

/** Whether a text matches the pattern, in which `*` stands for anything. Linear time: each part is searched once. */
export function isLike(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (!text.startsWith(first)) return false
  if (parts.length === 0) return text === first
  const last = parts.pop() ?? ''
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/** A number from 0 to 1, derived from the uid, so that it is always the same for one Pod. */
function fractionOf(uid: string): number {
  let hash = 2166136261
  for (let i = 0; i < uid.length; i++) hash = Math.imul(hash ^ uid.charCodeAt(i), 16777619)
  return (hash >>> 0) / 2 ** 32
}
