import type { AdmissionDefinition, AdmissionRequest, ControllerDefinition } from 'orch/sdk'
import type { PluginDefinition } from 'orch/sdk/host'
import type { Graph } from './graph.js'

/** What a server tells the process of a plugin, and what it answers. */

/** The first call: load the module. */
export interface LoadOrder {
  readonly file: string
  readonly folder: string
  /** Hosts that it may connect to. */
  readonly network: readonly string[]
  /** May it start programs, and send signals? */
  readonly childProcesses: boolean
}
/** The answer: what `definePlugin` was given, without functions. */
export interface LoadedPlugin {
  readonly definition: Graph
  readonly madeWith?: string | undefined
}

/** The second call: register. */
export interface RegisterOrder {
  /** The vendor, as data. */
  readonly profile: object
  readonly options: Readonly<Record<string, unknown>>
  /** The gates that are on. */
  readonly gates: readonly string[]
}
/** The answer: what it brings. Functions are called by their numbers, controls and loops by their places. */
export interface Registered {
  readonly admission: readonly Omit<AdmissionDefinition, 'review' | 'needs'>[]
  readonly controller: readonly Omit<ControllerDefinition, 'start' | 'needs'>[]
  readonly resource: readonly Graph[]
}

/** Which of them is called is an index. */
export interface ReviewOrder {
  readonly control: number
  readonly phase: 'mutate' | 'validate'
  readonly request: SentRequest
}
export type SentRequest = Pick<
  AdmissionRequest,
  | 'operation'
  | 'user'
  | 'group'
  | 'version'
  | 'kind'
  | 'resource'
  | 'subresource'
  | 'namespace'
  | 'name'
  | 'pathName'
  | 'object'
  | 'oldObject'
  | 'options'
  | 'dryRun'
  | 'requestVersion'
  | 'reinvoked'
> & { readonly timeLeftMs: number | null }

/** Fields of an object that changed, and those that are gone. */
export interface Changes {
  readonly set?: Readonly<Record<string, unknown>>
  readonly unset?: readonly string[]
}
/** The answer to a review. */
export interface Reviewed extends Changes {
  readonly verdict?: unknown
  readonly warnings?: readonly string[]
  readonly annotations?: readonly (readonly [key: string, value: string, level: string])[]
}

/** A call of a function of a type: a step of a strategy, say. */
export interface FunctionOrder {
  readonly function: number
  readonly args: readonly unknown[]
}
/** What it returned, and what it changed of its first argument. */
export interface FunctionAnswer extends Changes {
  readonly returned?: unknown
  readonly warnings?: readonly string[]
}

/** What a plugin was refused: a message of its own accord. */
export const violationKinds = ['file', 'network', 'program', 'thread', 'process', 'engine', 'other'] as const
export type ViolationKind = (typeof violationKinds)[number]
export interface Violation {
  readonly kind: ViolationKind
  /** For people: `connect to example.com:80`. */
  readonly what: string
}

/** What of a definition is data. */
export const definitionFields = [
  'name',
  'sdk',
  'requires',
  'gates',
  'options',
  'permissions',
  'failurePolicy',
] as const satisfies readonly (keyof PluginDefinition)[]
