import {
  type AdmissionDefinition,
  defineAdmission,
  defineAuthenticator,
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
  Struct,
  services,
  Text,
} from 'orch/sdk'

const Gadget = Kind('gadgets.v1.Gadget', {
  spec: embedded(2, Struct('gadgets.v1.Spec', { color: field(1, Text()), size: field(2, Int32()) })),
})
export type Gadget = ObjectOf<typeof Gadget>
const OldGadget = Kind('gadgets.v1beta1.Gadget', {
  spec: embedded(2, Struct('gadgets.v1beta1.Spec', { paint: field(1, Text()), size: field(2, Int32()) })),
})

const gadgets = {
  group: 'acme.test',
  kind: 'Gadget',
  resource: 'gadgets',
  namespaced: true,
  versions: [{ name: 'v1', schema: Gadget, storage: true }],
} satisfies ResourceDefinition
const plugin = (register: (to: Registrar) => void): Plugin => definePlugin({ name: 'gadgets', register })
const withType = (change: Partial<ResourceDefinition>) => plugin(to => to.resource({ ...gadgets, ...change }))
const withControl = (control: Partial<AdmissionDefinition<Gadget>> & Pick<AdmissionDefinition<Gadget>, 'review'>) =>
  plugin(to => {
    to.resource(gadgets)
    to.admission(
      defineAdmission<Gadget>()({
        name: 'GadgetControl',
        phase: 'validate',
        sideEffects: 'none',
        matches: { group: 'acme.test' },
        ...control,
      }),
    )
  })

/** A plugin with nothing wrong. */
export const soundPlugin = withType({})

let runs = 0
/** Plugins with one thing wrong each, and the check that finds it. */
export const brokenPlugins: Readonly<Record<string, { plugin: Plugin; finds: string; says: RegExp }>> = {
  'defaults that go on counting': {
    plugin: withType({
      versions: [
        {
          name: 'v1',
          schema: Gadget,
          defaults: ({ spec }: Gadget) => void Object.assign(spec!, { size: (spec?.size ?? 0) + 1 }),
        },
      ],
    }),
    finds: 'defaults are filled once',
    says: /defaults changed what they had filled/,
  },
  'validation that throws': {
    plugin: withType({ strategy: { validate: ({ spec }: Gadget) => (spec!.color!.length > 1000 ? [] : []) } }),
    finds: 'validation never throws',
    says: /Cannot read properties of undefined/,
  },
  'validation that changes what it looks at': {
    plugin: withType({
      strategy: {
        validate(gadget: Gadget) {
          gadget.spec!.color = gadget.spec?.color?.trim() ?? ''
          return []
        },
      },
    }),
    finds: 'validation never throws',
    says: /read only|not extensible/,
  },
  'a column that throws': {
    plugin: withType({
      columns: [{ name: 'Color', type: 'string', description: '', cell: ({ spec }: Gadget) => spec!.color!.trim() }],
    }),
    finds: 'columns and selectable fields',
    says: /Cannot read properties of undefined/,
  },
  'a conversion that loses a field': {
    plugin: withType({
      versions: [
        { name: 'v1', schema: Gadget, storage: true },
        {
          name: 'v1beta1',
          schema: OldGadget,
          toStorage: ({ metadata, spec }: ObjectOf<typeof OldGadget>) => ({ metadata, spec: { color: spec?.paint } }),
          fromStorage: ({ metadata, spec }: Gadget) => ({ metadata, spec: { paint: spec?.color, size: spec?.size } }),
        },
      ],
    }),
    finds: 'to the storage version and back',
    says: /from v1beta1 to v1 and back lost something/,
  },
  'a type of which nothing is valid': {
    plugin: withType({ strategy: { validate: () => [invalidValue('spec', {}, 'never good enough')] } }),
    finds: 'there is a valid object',
    says: /Export `conformance`.*never good enough/,
  },
  'an object that makes the server fail': {
    plugin: withType({ strategy: { prepareForCreate: ({ spec }: Gadget) => void spec!.color!.trim() } }),
    finds: 'no object makes the server fail',
    says: /POST answers 500/,
  },
  'a validating control that changes the object': {
    plugin: withControl({ review: ({ object }) => void (object.spec = { color: 'mine' }) }),
    finds: 'changes only what it may',
    says: /changes what it must not change, on create of gadgets/,
  },
  'a mutating control that never has enough': {
    plugin: withControl({
      phase: 'mutate',
      review({ object, operation }) {
        if (operation === 'create') object.spec = { ...object.spec, size: (object.spec?.size ?? 0) + 1 }
      },
    }),
    finds: 'changes only what it may',
    says: /changes the object again when it runs again/,
  },
  'a control that writes during a dry run': {
    plugin: plugin(to => {
      to.resource(gadgets)
      const review: AdmissionDefinition<Gadget, { client: typeof services.client }>['review'] = async (
        request,
        needed,
      ) => {
        if (!request.dryRun || request.operation !== 'update') return
        const all = needed.client.resource<Gadget>({ group: 'acme.test', version: 'v1', resource: 'gadgets' })
        await all.in(request.namespace).create({ metadata: { name: `trace-${++runs}` } })
      }
      const needs = { client: services.client }
      to.admission({ name: 'Tracer', phase: 'mutate', sideEffects: 'none', needs, review })
    }),
    finds: 'dry runs of create, update and delete',
    says: /a dry run left something behind/,
  },
  'a method that lets everybody in': {
    plugin: plugin(to =>
      to.authenticator(
        defineAuthenticator({
          name: 'open-door',
          kind: 'bearer',
          authenticate: () => ({ user: { name: 'x', groups: [] } }),
        }),
      ),
    ),
    finds: 'lets nobody in with an unknown bearer token',
    says: /it answers/,
  },
  'a method that quotes the token': {
    plugin: plugin(to =>
      to.authenticator(
        defineAuthenticator({
          name: 'talkative',
          kind: 'bearer',
          authenticate({ bearerToken }) {
            throw new Error(`bad token ${bearerToken}`)
          },
        }),
      ),
    ),
    finds: 'lets nobody in with an unknown bearer token',
    says: /quotes the credential/,
  },
}
