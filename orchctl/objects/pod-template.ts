import { type ApiObject, isRecord } from 'orch/sdk'

/** The fields of a container that commands use. */
export interface Container {
  readonly name: string
  readonly image?: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly ports?: readonly {
    readonly name?: string
    readonly containerPort: number
    readonly hostPort?: number
    readonly protocol?: string
  }[]
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[]
  readonly resources?: { readonly limits?: Record<string, string>; readonly requests?: Record<string, string> }
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[]
}
export interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}
export interface PodSpec {
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly ({ readonly name: string } & Record<string, unknown>)[]
  readonly nodeSelector?: Record<string, string>
  readonly serviceAccountName?: string
  readonly tolerations?: readonly Toleration[]
}
export interface PodTemplate {
  readonly metadata?: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> }
  readonly spec: PodSpec
}

/** Paths of the Pod spec in workloads and in a Pod itself. */
const podSpecPaths = [['spec', 'jobTemplate', 'spec', 'template', 'spec'], ['spec', 'template', 'spec'], ['spec']]

const valueAt = (object: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), object)

/** The path of the Pod spec in an object; undefined if it has none. */
export const podSpecPath = (object: ApiObject): readonly string[] | undefined =>
  podSpecPaths.find(path => Array.isArray((valueAt(object, path) as Partial<PodSpec> | undefined)?.containers))

export function podSpecOf(object: ApiObject): PodSpec | undefined {
  const path = podSpecPath(object)
  return path && (valueAt(object, path) as PodSpec)
}

/** A copy of the object with another value at a path. */
export function withValueAt<T>(object: T, [key, ...rest]: readonly string[], value: unknown): T {
  if (key === undefined) return value as T
  const fields: Readonly<Record<string, unknown>> = isRecord(object) ? object : {}
  return { ...fields, [key]: withValueAt(fields[key], rest, value) } as T
}
