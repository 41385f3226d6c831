import type {
  AdmissionDefinition,
  AdmissionRequest,
  ControllerDefinition,
  HealthCheckDefinition,
  ResourceInfo,
  ServedType,
  StartTask,
} from 'orch/sdk'
import type { PluginDefinition } from 'orch/sdk/host'
import type { AuthenticatorDefinition, AuthorizerDefinition, Credentials } from 'orch/sdk/identity'
import type { SentFailure } from './call-link.js'
import type { Graph } from './graph.js'

/** The messages from a server to a plugin process, and its answers. */

/** The first call: load the module. */
export interface LoadOrder {
  readonly file: string
  readonly folder: string
  /** Hosts that the plugin may connect to. */
  readonly network: readonly string[]
  /** Whether it may start programs and send signals. */
  readonly childProcesses: boolean
}
/** The answer: the arguments of `definePlugin`, without functions. */
export interface LoadedPlugin {
  readonly definition: Graph
  readonly builtWithSdk?: string | undefined
}

/** The second call: register. */
export interface RegisterOrder {
  /** The vendor profile, as data. */
  readonly profile: object
  readonly options: Readonly<Record<string, unknown>>
  /** The feature gates that are enabled. */
  readonly gates: readonly string[]
}
/** The answer: the contributions. Functions are called by number, controls and loops by index. */
export interface Registered {
  readonly admission: readonly Omit<AdmissionDefinition, 'review' | 'needs'>[]
  readonly controller: readonly Omit<ControllerDefinition, 'start' | 'needs'>[]
  readonly resource: readonly Graph[]
  readonly startTask: readonly Omit<StartTask, 'run' | 'needs'>[]
  readonly authenticator: readonly DescribedAuthenticator[]
  readonly authorizer: readonly DescribedAuthorizer[]
  readonly healthCheck: readonly Omit<HealthCheckDefinition, 'check' | 'needs'>[]
  /** Names of the services that contributions outside of control loops need. */
  readonly uses: readonly string[]
  /** Names of `orch/sdk/proposed` among the services that it needs, control loops included. */
  readonly proposed: readonly string[]
}

export type DescribedAuthenticator = Pick<AuthenticatorDefinition, 'name' | 'kind' | 'audienceAware'>
export type DescribedAuthorizer = Pick<AuthorizerDefinition, 'mode' | 'standsFor' | 'knowsLoopRoles'> & {
  readonly hasRules: boolean
}
/** The credentials of a request. */
export interface SentCredentials {
  readonly headers: Credentials['headers']
  readonly values: Readonly<Record<string, readonly string[]>>
  readonly path: string
  /** DER in base64. */
  readonly certificates: readonly string[]
  readonly audiences: readonly string[]
  readonly bearerToken?: string
}

/** Services whose state is sent to the process, because plugins read it synchronously. */
export const serverServices: readonly string[] = ['resources', 'caches', 'authorizer', 'admissionConfiguration']
/** That state. It precedes every call that needs it. */
export interface ServerState {
  /** Names of the authorization modes. */
  readonly modes: readonly string[]
  readonly types: readonly ResourceInfo[]
  readonly configuration?: readonly ControlConfiguration[]
}
/** What --admission-control-config-file says of a control. */
export interface ControlConfiguration {
  readonly control: string
  readonly configuration: unknown
  /** The folder that relative paths are resolved from. */
  readonly folder: string
}

/** They are called by index. */
export interface ReviewOrder {
  readonly control: number
  /** The request that is reviewed: the same for all reviews of it. */
  readonly review: number
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

/** The fields of an object that changed, and those that were removed. */
export interface Changes {
  readonly set?: Readonly<Record<string, unknown>>
  readonly unset?: readonly string[]
}
/** The answer to a review. */
export interface Reviewed extends Changes {
  readonly verdict?: unknown
  readonly warnings?: readonly string[]
  readonly annotations?: readonly (readonly [key: string, value: string, level: string])[]
  /** Set if the control threw. */
  readonly failure?: SentFailure
}

/** A call of the process about a review under way: the objects of the request in one of its served types. */
export interface FormsOrder extends Changes {
  readonly review: number
  /** The requested type when left out. */
  readonly as?: ServedType
}
export interface Forms {
  readonly requested: ServedType
  readonly equivalents: readonly ServedType[]
  readonly object: unknown
  readonly oldObject: unknown
}
/** A change of the object by way of a served type: a JSON Patch, or fields to merge. */
export interface ChangeOrder extends FormsOrder {
  readonly as: ServedType
  readonly patch?: readonly unknown[]
  readonly fields?: Readonly<Record<string, unknown>>
}
export interface ChangedForm {
  readonly isChanged: boolean
  /** The object that controls see, after the change. */
  readonly object: unknown
}

/** A call to a function of a type, such as a strategy step. */
export interface FunctionOrder {
  readonly function: number
  readonly args: readonly unknown[]
}
/** A call for the cells of a page of objects: a row for each object, with a cell for each function. */
export interface CellsOrder {
  readonly functions: readonly number[]
  readonly objects: readonly unknown[]
  readonly now: number
}
/** The return value, and the changes to the first argument. */
export interface FunctionAnswer extends Changes {
  readonly returned?: unknown
  readonly warnings?: readonly string[]
}

/** An action that a plugin was denied: a one-way message. */
export const violationKinds = ['file', 'network', 'program', 'thread', 'process', 'engine', 'other'] as const
export type ViolationKind = (typeof violationKinds)[number]
export interface Violation {
  readonly kind: ViolationKind
  /** A description for people: `connect to example.com:80`. */
  readonly what: string
}

/** The fields of a definition that are plain data. */
export const definitionFields = [
  'name',
  'sdk',
  'requires',
  'gates',
  'options',
  'permissions',
  'failurePolicy',
  'proposed',
] as const satisfies readonly (keyof PluginDefinition)[]
