import {
  type AdmissionDefinition,
  type ConformanceSamples,
  type ControllerDefinition,
  defineAdmission,
  defineController,
  definePlugin,
  embedded,
  field,
  Int32,
  invalidValue,
  Kind,
  type ObjectOf,
  type Plugin,
  type Registrar,
  type ResourceDefinition,
  type SentObjectOf,
  type Strategy,
  Struct,
  services,
  Text,
  type VersionDefinition,
} from 'orch/sdk'
import { type AuthenticatorDefinition, type AuthorizerDefinition, defineAuthenticator } from 'orch/sdk/identity'

const Status = Struct('gadgets.v1.Status', { seen: field(1, Int32()) })
export const Gadget = Kind('gadgets.v1.Gadget', {
  spec: embedded(2, Struct('gadgets.v1.Spec', { color: field(1, Text()), size: field(2, Int32()) })),
  status: embedded(3, Status),
})
export type Gadget = ObjectOf<typeof Gadget>
export type SentGadget = SentObjectOf<typeof Gadget>
export const OldGadget = Kind('gadgets.v1beta1.Gadget', {
  spec: embedded(2, Struct('gadgets.v1beta1.Spec', { paint: field(1, Text()), size: field(2, Int32()) })),
  status: embedded(3, Status),
})
export type OldGadget = ObjectOf<typeof OldGadget>

export const gadgetRef = { group: 'acme.test', version: 'v1', resource: 'gadgets' }

const main = {
  prepareForCreate: draft => void (draft.status = {}),
  prepareForUpdate: (draft, stored) => void (draft.status = stored.status),
  validate: ({ spec }) => (spec.color === 'none' ? [invalidValue('spec.color', spec.color, 'must be one')] : []),
} satisfies Strategy<Gadget>

export const currentVersion = { name: 'v1', schema: Gadget, storage: true } satisfies VersionDefinition
export const oldVersion = {
  name: 'v1beta1',
  schema: OldGadget,
  toStorage: ({ spec, ...rest }: OldGadget) => ({ ...rest, spec: { color: spec?.paint, size: spec?.size } }),
  fromStorage: ({ spec, ...rest }: Gadget) => ({ ...rest, spec: { paint: spec.color, size: spec?.size } }),
} satisfies VersionDefinition

/** A type without defects. */
export const gadgets = {
  group: 'acme.test',
  kind: 'Gadget',
  resource: 'gadgets',
  namespaced: true,
  versions: [currentVersion, oldVersion],
  strategy: main,
  subresources: { status: { kind: 'update', strategy: {} } },
} satisfies ResourceDefinition

const control = defineAdmission<Gadget>()({
  name: 'GadgetControl',
  phase: 'validate',
  sideEffects: 'none',
  matches: { group: 'acme.test' },
  review() {},
})
const method = defineAuthenticator({ name: 'gadget-tokens', kind: 'bearer', authenticate: () => undefined })
const requestMethod = defineAuthenticator({ name: 'gadget-headers', kind: 'request', authenticate: () => undefined })
/** Sets the status of every gadget, once. */
const loop = defineController({
  name: 'gadget-loop',
  needs: { client: services.client },
  rules: [
    { apiGroups: ['acme.test'], resources: ['gadgets'], verbs: ['list', 'patch'] },
    { apiGroups: ['acme.test'], resources: ['gadgets/status'], verbs: ['patch'] },
  ],
  async start({ client }) {
    const all = client.resource<Gadget>(gadgetRef)
    const run = async () => {
      for await (const { metadata, status } of all.each())
        if (status?.seen === undefined)
          await all
            .in(metadata?.namespace ?? '')
            .patch(metadata?.name ?? '', { status: { seen: 1 } }, { subresource: 'status' })
    }
    await run()
    return async () => {}
  },
})

/** The parts of a plugin of gadgets; each can be replaced by a defective one. */
export interface GadgetParts {
  readonly type?: Partial<ResourceDefinition>
  readonly control?: Partial<AdmissionDefinition<Gadget>>
  readonly method?: Partial<AuthenticatorDefinition>
  readonly requestMethod?: Partial<AuthenticatorDefinition>
  readonly authorizer?: AuthorizerDefinition
  // biome-ignore lint/suspicious/noExplicitAny: loops with different needs
  readonly loop?: Partial<ControllerDefinition<any>>
  more?(to: Registrar): void
}

/** A plugin of gadgets with every kind of contribution, without defects apart from the given parts. */
export const gadgetPlugin = (parts: GadgetParts = {}): Plugin =>
  definePlugin({
    name: 'gadgets',
    register(to) {
      to.resource({ ...gadgets, ...parts.type })
      to.admission({ ...control, ...parts.control })
      to.authenticator({ ...method, ...parts.method }, { ...requestMethod, ...parts.requestMethod })
      to.controller({ ...loop, ...parts.loop })
      if (parts.authorizer) to.authorizer(parts.authorizer)
      parts.more?.(to)
    },
  })

/** Samples of gadgets. */
export const gadgetSamples = {
  samples: {
    'gadgets.acme.test': {
      valid: (): SentGadget => ({ spec: { color: 'blue', size: 2 } }),
      invalid: {
        'a gadget of no color': (gadget: Gadget) => {
          gadget.spec = { color: 'none' }
        },
      },
      update: (gadget: Gadget) => {
        gadget.spec = { ...gadget.spec, size: 3 }
      },
    },
  },
} satisfies ConformanceSamples
