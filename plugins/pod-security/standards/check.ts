import type { ObjectMeta } from 'orch/sdk'
import type { Container, PodSpec } from 'orch/sdk/core'
import type { PodSecurityNames } from '../names.js'
import type { Level, Version } from './level.js'

/** A Pod, or the template of one. */
export interface PodLike {
  readonly metadata?: ObjectMeta | undefined
  readonly spec: PodSpec
}

/** A violation of a standard by a Pod. */
export interface Violation {
  /** In short, the same for every Pod. */
  readonly reason: string
  /** Which fields of which containers. */
  readonly detail: string
}

/** One rule of a standard. */
export interface Check {
  readonly id: string
  readonly level: Exclude<Level, 'privileged'>
  /** The oldest version of the standard first. */
  readonly versions: readonly CheckVersion[]
  /** Rules of the wider standard that this one includes. */
  readonly overrides?: readonly string[]
}
export interface CheckVersion {
  readonly since: Version
  find(pod: PodLike, names: PodSecurityNames): Violation | undefined
}

/** Every container of a Pod, in the order in which they may start. */
export const containersOf = ({ spec }: PodLike): Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
]

/** Names of the containers for which this holds. */
export const namesOf = (pod: PodLike, isSo: (container: Container) => boolean): string[] =>
  containersOf(pod)
    .filter(isSo)
    .map(({ name }) => name)

/** In a separate user namespace, root has no privileges outside of the Pod. */
const hasOwnUsers = ({ spec }: PodLike) => spec.hostUsers === false
/** The same rule, from a version on only for Pods that share the users of the node. */
export const unlessOwnUsers = (since: Version, { find }: CheckVersion): CheckVersion => ({
  since,
  find: (pod, names) => (hasOwnUsers(pod) ? undefined : find(pod, names)),
})
/** The same rule, from a version on not for Windows Pods, to which it does not apply. */
export const unlessWindows = (since: Version, { find }: CheckVersion): CheckVersion => ({
  since,
  find: (pod, names) => (pod.spec.os?.name === 'windows' ? undefined : find(pod, names)),
})

export const quoted = (texts: Iterable<string>): string => [...texts].map(text => JSON.stringify(text)).join(', ')
const counted = (noun: string, count: number) => (count === 1 ? noun : `${noun}s`)
/** `container "a"`, `containers "a", "b"`. */
export const nounWithNames = (noun: string, names: readonly string[]): string =>
  `${counted(noun, names.length)} ${quoted(names)}`
export const nounOf = counted

/** `pod and containers "a", "b"`, those of them that set it; undefined if none does. */
export function settersOf(isPod: boolean, containers: readonly string[]): string | undefined {
  const setters = [
    ...(isPod ? ['pod'] : []),
    ...(containers.length > 0 ? [nounWithNames('container', containers)] : []),
  ]
  return setters.length === 0 ? undefined : setters.join(' and ')
}
