import {
  type Client,
  type ConformanceSamples,
  defineAdmission,
  defineAuthorizer,
  defineResource,
  embedded,
  field,
  Kind,
  type Plugin,
  reject,
  Struct,
  services,
  Text,
} from 'orch/sdk'
import {
  currentVersion,
  type Gadget,
  gadgetPlugin,
  gadgetRef,
  gadgetSamples,
  gadgets,
  type OldGadget,
  oldVersion,
} from './gadgets.js'

/** A plugin with one thing wrong, and the check that finds it. */
export interface BrokenPlugin {
  readonly plugin: Plugin
  /** Part of the title of the check. */
  readonly finds: string
  readonly says: RegExp
  /** Instead of the samples of gadgets. */
  readonly given?: ConformanceSamples
  /** Ends what it leaves open. */
  cleanUp?(): void
}

let runs = 0
const timers: NodeJS.Timeout[] = []

const brokenTypes: Readonly<Record<string, BrokenPlugin>> = {
  'defaults that go on counting': {
    plugin: gadgetPlugin({
      type: {
        versions: [
          {
            ...currentVersion,
            defaults: ({ spec }: Gadget) => void Object.assign(spec!, { size: (spec?.size ?? 0) + 1 }),
          },
        ],
      },
    }),
    finds: 'defaults are filled once',
    says: /defaults changed what they had filled/,
  },
  'two fields that Protobuf cannot tell apart': {
    plugin: gadgetPlugin({
      type: {
        versions: [
          {
            name: 'v1',
            schema: Kind('gadgets.v1.Gadget', {
              spec: embedded(2, Struct('gadgets.v1.Spec', { color: field(1, Text()), size: field(1, Text()) })),
            }),
          },
        ],
      },
    }),
    finds: 'an object survives JSON, YAML and Protobuf',
    says: /Protobuf/,
  },
  'validation that throws': {
    plugin: gadgetPlugin({
      type: { strategy: { validate: ({ spec }: Gadget) => (spec!.color!.length > 1000 ? [] : []) } },
    }),
    finds: 'validation never throws',
    says: /Cannot read properties of undefined/,
  },
  'validation that changes what it looks at': {
    plugin: gadgetPlugin({
      type: {
        strategy: {
          validate(gadget: Gadget) {
            gadget.spec!.color = gadget.spec?.color?.trim() ?? ''
            return []
          },
        },
      },
    }),
    finds: 'validation never throws',
    says: /read only|not extensible/,
  },
  'a column that throws': {
    plugin: gadgetPlugin({
      type: {
        columns: [{ name: 'Color', type: 'string', description: '', cell: ({ spec }: Gadget) => spec!.color!.trim() }],
      },
    }),
    finds: 'columns and selectable fields',
    says: /Cannot read properties of undefined/,
  },
  'a conversion that loses a field': {
    plugin: gadgetPlugin({
      type: {
        versions: [
          currentVersion,
          {
            ...oldVersion,
            toStorage: ({ spec, ...rest }: OldGadget) => ({ ...rest, spec: { color: spec?.paint } }),
          },
        ],
      },
    }),
    finds: 'to the storage version and back',
    says: /from v1beta1 to v1 and back lost something/,
  },
  'a type of which nothing is valid': {
    plugin: gadgetPlugin({
      type: {
        strategy: { validate: () => [{ type: 'invalid', field: 'spec', detail: 'never good enough' }] as never },
      },
    }),
    given: {},
    finds: 'there is a valid object',
    says: /Export `conformance`.*never good enough/,
  },
  'an object that makes the server fail': {
    plugin: gadgetPlugin({ type: { strategy: { prepareForCreate: ({ spec }: Gadget) => void spec!.color!.trim() } } }),
    finds: 'no object makes the server fail',
    says: /POST answers 500/,
  },
}

const brokenControls: Readonly<Record<string, BrokenPlugin>> = {
  'a validating control that changes the object': {
    plugin: gadgetPlugin({ control: { review: ({ object }) => void (object.spec = { color: 'mine' }) } }),
    finds: 'changes only what it may',
    says: /changes what it must not change, on create of gadgets/,
  },
  'a mutating control that changes the stored object': {
    plugin: gadgetPlugin({
      control: {
        phase: 'mutate',
        review({ oldObject }) {
          if (oldObject) oldObject.spec = {}
        },
      },
    }),
    finds: 'changes only what it may',
    says: /changes what it must not change, on update of gadgets/,
  },
  'a control that throws': {
    plugin: gadgetPlugin({ control: { review: ({ object }) => void object.spec!.color!.trim().length } }),
    given: { samples: { 'gadgets.acme.test': { valid: () => ({}) } } },
    finds: 'changes only what it may',
    says: /throws on create of gadgets: Cannot read properties of undefined/,
  },
  'a mutating control that never has enough': {
    plugin: gadgetPlugin({
      control: {
        phase: 'mutate',
        review({ object, operation }) {
          if (operation === 'create') object.spec = { ...object.spec, size: (object.spec?.size ?? 0) + 1 }
        },
      },
    }),
    finds: 'changes only what it may',
    says: /changes the object again when it runs again/,
  },
  'a mutating control that refuses its own work': {
    plugin: gadgetPlugin({
      control: {
        phase: 'mutate',
        review({ object, operation }) {
          if (operation !== 'create') return
          if (object.spec?.size === 77) return reject('77 is taken')
          object.spec = { ...object.spec, size: 77 }
        },
      },
    }),
    finds: 'changes only what it may',
    says: /refuses what it let through \(77 is taken\) when it runs again/,
  },
  'a control that is off and throws': {
    plugin: gadgetPlugin({
      control: {
        enabledByDefault: false,
        review() {
          throw new TypeError('not today')
        },
      },
    }),
    finds: 'changes only what it may',
    says: /throws on create of gadgets: not today/,
  },
  'a control that writes during a dry run': {
    plugin: gadgetPlugin({
      more: to =>
        to.admission(
          defineAdmission<Gadget>()({
            name: 'Tracer',
            phase: 'mutate',
            sideEffects: 'none',
            needs: { client: services.client },
            async review(request, { client }) {
              if (!request.dryRun || request.operation !== 'update') return
              const all = client.resource<Gadget>(gadgetRef)
              await all.in(request.namespace).create({ metadata: { name: `trace-${++runs}` } })
            },
          }),
        ),
    }),
    finds: 'dry runs of create, update and delete',
    says: /a dry run left something behind/,
  },
  'samples of a type that nobody brings': {
    plugin: gadgetPlugin(),
    given: { samples: { 'gizmos.acme.test': { valid: () => ({}) } } },
    finds: 'can be created, changed and deleted',
    says: /no plugin brings gizmos.acme.test/,
  },
}

const openDoor = { authenticate: () => ({ user: { name: 'x', groups: [] } }) }
const brokenAccess: Readonly<Record<string, BrokenPlugin>> = {
  'a mode that allows everything': {
    plugin: gadgetPlugin({
      authorizer: defineAuthorizer({ mode: 'Open', authorize: () => ({ decision: 'allow' }) }),
    }),
    finds: 'who has no rights is refused everything',
    says: /create \(POST \) answers \d+ to who may not/,
  },
  'a mode that allows nothing': {
    plugin: gadgetPlugin({
      authorizer: defineAuthorizer({ mode: 'Closed', authorize: () => ({ decision: 'deny' }) }),
    }),
    finds: 'who may read reads',
    says: /answers 403 to who may/,
  },
  ...Object.fromEntries(
    ['an unknown bearer token', 'an empty bearer token', 'a token that looks signed', 'garbage'].map(what => [
      `a method that lets everybody in with ${what}`,
      { plugin: gadgetPlugin({ method: openDoor }), finds: `lets nobody in with ${what}`, says: /it answers/ },
    ]),
  ),
  'a method that lets everybody in with nothing': {
    plugin: gadgetPlugin({ requestMethod: openDoor }),
    finds: 'lets nobody in with no credentials',
    says: /it answers/,
  },
  'a method that quotes the token': {
    plugin: gadgetPlugin({
      method: {
        authenticate({ bearerToken }) {
          throw new Error(`bad token ${bearerToken}`)
        },
      },
    }),
    finds: 'lets nobody in with an unknown bearer token',
    says: /quotes the credential/,
  },
  'a method that trips over what is no token of its own': {
    plugin: gadgetPlugin({
      method: { authenticate: ({ bearerToken }) => void JSON.parse(bearerToken!.split('.')[1]!) },
    }),
    finds: 'lets nobody in with garbage',
    says: /it trips/,
  },
}

const brokenLives: Readonly<Record<string, BrokenPlugin>> = {
  'a plugin that registers something else every time': {
    plugin: gadgetPlugin({
      more: to => to.resource(defineResource({ ...gadgets, kind: `Gizmo${++runs}`, resource: `gizmos${runs}` })),
    }),
    finds: 'registering brings the same every time',
    says: /registered differently/,
  },
  'a loop that leaves something open': {
    plugin: gadgetPlugin({
      loop: {
        start() {
          timers.push(setInterval(() => {}, 1000))
          return async () => {}
        },
      },
    }),
    finds: 'leaves nothing open',
    says: /still open after stop: 1 Timeout/,
    cleanUp: () => timers.splice(0).forEach(clearInterval),
  },
  'a loop that begins anew at every start': {
    plugin: gadgetPlugin({
      loop: {
        needs: { client: services.client },
        async start({ client }: { client: Client }) {
          const all = client.resource<Gadget>(gadgetRef)
          for await (const { metadata } of all.each())
            await all.in(metadata?.namespace ?? '').patch(metadata?.name ?? '', { spec: { size: ++runs } })
          return async () => {}
        },
      },
    }),
    finds: 'go on after a restart',
    says: /start \d+ of the loops still changes what the one before left/,
  },
}

/** Plugins with one thing wrong each, and the check that finds it. */
export const brokenPlugins: Readonly<Record<string, BrokenPlugin>> = {
  ...brokenTypes,
  ...brokenControls,
  ...brokenAccess,
  ...brokenLives,
}
export const samplesOf = ({ given = gadgetSamples }: BrokenPlugin): ConformanceSamples => given
