import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { WasmFailure } from './wasm-failure.js'

/** The version of the interface between the server and modules, see docs/wasm-plugins.md. */
const abiVersion = 1

const Texts = Type.Array(Type.String(), { maxItems: 100 })
/** The name of an exported function. */
const FunctionName = Type.String({ minLength: 1, maxLength: 128 })
const strict = { additionalProperties: false }
const optional = Type.Optional

const FailurePolicy = Type.Union([Type.Literal('Fail'), Type.Literal('Ignore')])
const Match = Type.Object(
  {
    group: optional(Type.String()),
    resource: optional(Type.Union([Type.String(), Texts])),
    subresource: optional(Type.Union([Type.String(), Texts])),
    operations: optional(
      Type.Array(Type.Union((['create', 'update', 'delete', 'connect'] as const).map(each => Type.Literal(each)))),
    ),
  },
  strict,
)
const Control = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    phase: Type.Union([Type.Literal('mutate'), Type.Literal('validate')]),
    function: FunctionName,
    matches: optional(Type.Array(Match, { maxItems: 100 })),
    whenSet: optional(Texts),
    stage: optional(
      Type.Union(
        (['existence', 'defaults', 'checks', 'webhooks', 'accounting', 'last'] as const).map(each =>
          Type.Literal(each),
        ),
      ),
    ),
    after: optional(Texts),
    before: optional(Texts),
    enabledByDefault: optional(Type.Boolean()),
    failurePolicy: optional(FailurePolicy),
  },
  strict,
)
const ManifestColumn = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    type: Type.Union((['string', 'integer', 'number', 'boolean', 'date'] as const).map(each => Type.Literal(each))),
    description: Type.String(),
    priority: optional(Type.Integer({ minimum: 0 })),
    jsonPath: optional(Type.String({ maxLength: 1000 })),
    function: optional(FunctionName),
  },
  strict,
)
const ManifestVersion = Type.Object(
  {
    name: Type.String(),
    schema: Type.Record(Type.String(), Type.Unknown()),
    storage: optional(Type.Boolean()),
    served: optional(Type.Boolean()),
    defaults: optional(FunctionName),
    toStorage: optional(FunctionName),
    fromStorage: optional(FunctionName),
  },
  strict,
)
const ManifestType = Type.Object(
  {
    group: Type.String(),
    kind: Type.String(),
    resource: Type.String(),
    singular: optional(Type.String()),
    shortNames: optional(Texts),
    categories: optional(Texts),
    namespaced: Type.Boolean(),
    versions: Type.Array(ManifestVersion, { minItems: 1, maxItems: 20 }),
    /** Whether there is a status subresource. */
    status: optional(Type.Boolean()),
    validate: optional(FunctionName),
    columns: optional(Type.Array(ManifestColumn, { maxItems: 50 })),
  },
  strict,
)

/** The limits of one call. A package chooses its own; the maximums are what a server grants to any package. */
const Limits = Type.Object(
  {
    /** Instructions per call, approximately. */
    fuel: Type.Integer({ minimum: 1000, maximum: 1_000_000_000, default: 10_000_000 }),
    /** Pages of 64 KiB. */
    memoryPages: Type.Integer({ minimum: 1, maximum: 1024, default: 64 }),
    replyBytes: Type.Integer({ minimum: 2, maximum: 16 * 1024 * 1024, default: 4 * 1024 * 1024 }),
  },
  { ...strict, default: {} },
)

const Manifest = Type.Object(
  {
    abi: Type.Literal(abiVersion),
    name: Type.String(),
    sdk: optional(Type.String()),
    requires: optional(Texts),
    limits: Limits,
    failurePolicy: Type.Union([Type.Literal('Fail'), Type.Literal('Ignore')], { default: 'Fail' }),
    options: optional(Type.Record(Type.String(), Type.Unknown())),
    admission: Type.Array(Control, { maxItems: 100, default: [] }),
    resources: Type.Array(ManifestType, { maxItems: 100, default: [] }),
    authorizers: Type.Array(Type.Object({ mode: Type.String(), function: FunctionName }, strict), {
      maxItems: 10,
      default: [],
    }),
  },
  strict,
)
/**
 * Describes a module as a plugin. It is a file beside the module, so that the server can read it without running the
 * module.
 */
export type Manifest = Static<typeof Manifest>
export type ManifestControl = Static<typeof Control>
export type ManifestType = Static<typeof ManifestType>
export type CallLimits = Static<typeof Limits>
export type FailurePolicy = Static<typeof FailurePolicy>

/** Reads a manifest and applies defaults. Throws with the field and the rule if it is invalid. */
export function readManifest(given: unknown): Manifest {
  const filled = Value.Default(Manifest, given)
  if (Value.Check(Manifest, filled)) return filled
  const [first] = Value.Errors(Manifest, filled)
  const field = first?.path.slice(1).replaceAll('/', '.') || 'it'
  throw new WasmFailure(`the manifest cannot be used: ${field}: ${first?.message ?? 'is not valid'}`)
}

/** The functions named in a manifest, each of which the module must export. */
export function namedFunctions({ admission, resources, authorizers }: Manifest): string[] {
  const named = [
    ...[...admission, ...authorizers].map(each => each.function),
    ...resources.flatMap(({ validate, columns = [], versions }) => [
      validate,
      ...columns.map(column => column.function),
      ...versions.flatMap(version => [version.defaults, version.toStorage, version.fromStorage]),
    ]),
  ]
  return [...new Set(named.filter(name => name !== undefined))]
}
